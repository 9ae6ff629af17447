import { defineConfig, type UserConfig } from "tsdown";

/** One file an entry point, shared chunks between them; the heavy parts stay behind dynamic imports. */
const config: UserConfig = defineConfig({
  entry: {
    index: "src/composition/index.ts",
    client: "src/composition/client.ts",
    server: "src/composition/server.ts",
    node: "src/composition/node.ts",
    cli: "src/composition/cli.ts",
  },
  format: "esm",
  target: "node22.19",
  platform: "neutral",
  dts: true,
  clean: true,
  sourcemap: false,
});

export default config;
