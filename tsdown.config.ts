import { defineConfig, type UserConfig } from "tsdown";

/**
 * One file an entry point, shared chunks between them. Heavy parts (the SDK, undici, child processes) stay behind
 * dynamic imports, so an entry point costs what it uses; packages stay outside.
 */
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
  // What `.`, `./client` and `./server` reach in the end is checked chunk by chunk (test/packed).
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  // Neutral would name the files .js; the package's exports name .mjs.
  fixedExtension: true,
  dts: true,
  clean: true,
  sourcemap: false,
});

export default config;
