import type { Egress } from "../../ports/egress.ts";
import type { QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";

/** The one way out of a host: every carrier and every sign-in shares it. Loaded with the first that needs it. */
export interface Network {
  egress(): Promise<Egress>;
  close(): Promise<void>;
}

export function createNetwork(options: McpHostOptions, parts: QuietParts): Network {
  let egress: Promise<Egress> | undefined;
  return {
    egress: () => {
      egress ??= makeEgress(options, parts);
      return egress;
    },
    close: async () => {
      await (await egress)?.close();
    },
  };
}

async function makeEgress(options: McpHostOptions, parts: QuietParts): Promise<Egress> {
  const given = options.parts;
  if (given?.egress !== undefined) return given.egress;
  const [{ createUndiciEgress }, { createSystemResolver }] = await Promise.all([
    import("../../adapters/http-undici/egress.ts"),
    import("../../adapters/node-dns/resolver.ts"),
  ]);
  return createUndiciEgress({
    resolver: given?.resolver ?? createSystemResolver(),
    policy: { allowDestinations: options.allowDestinations ?? [] },
    clock: parts.clock,
  });
}
