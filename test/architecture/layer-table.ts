import { builtinModules } from "node:module";

/** Where a source file sits; an import is judged by the layers of both ends. */
export type Layer =
  | "domain"
  | "ports"
  | "flows"
  | `adapter:${string}`
  | "entry-anywhere"
  | "entry-node"
  | "unlisted";

/** Adapters that need no Node API: the entry points that run anywhere may use them. */
export const PORTABLE_ADAPTERS = [
  "mcp-sdk",
  "mcp-server-sdk",
  "json-schema",
  "oauth4webapi",
  "web-platform",
] as const;

/** Entry points and wiring that must work where there is no Node API. */
const ANYWHERE =
  /^composition\/(index|client|server|serve-agent|open-session|access-token-verifier|authentication|authorization-server-client)\.ts$/;

const DOMAIN_PACKAGES = ["valibot", "ipaddr.js", "@noble/hashes"];

/** Packages that only one adapter may touch, and why. */
const OWNED_PACKAGES: readonly (readonly [
  specifier: RegExp,
  owner: string | readonly string[],
  why: string,
])[] = [
  [/^undici$/, "http-undici", "one way out: every network byte leaves through the Egress port"],
  // node-http listens alone: listener.test.ts sees to it that nothing there sends a request.
  [/^node:http$/, ["http-undici", "node-http"], "no second path to the network"],
  [/^node:(https|http2|net|tls|dgram)$/, "http-undici", "no second path to the network"],
  [/^node:dns(\/promises)?$/, "node-dns", "addresses come from the resolver captured at admission"],
  [/^node:child_process$/, "child-process", "nothing is started but by the process runner"],
  [/^proper-lockfile$/, "files", "locks are part of what a file store promises"],
  [/^oauth4webapi$/, "oauth4webapi", "authorization servers are asked behind a port"],
  [
    /^@modelcontextprotocol\/server(\/|$)/,
    "mcp-server-sdk",
    "serving is the server SDK's, and nobody else's",
  ],
  [/^@modelcontextprotocol\//, ["mcp-sdk", "mcp-server-sdk"], "the SDK is one technology among others"],
  [/^@cfworker\/json-schema$/, "json-schema", "validation sits behind a port"],
  [/^@humanwhocodes\/momoa$/, "files", "documents are parsed where they are read"],
  [/^smol-toml$/, "files", "documents are parsed where they are read"],
];

export function layerOf(path: string): Layer {
  if (path.startsWith("domain/")) return "domain";
  if (path.startsWith("ports/")) return "ports";
  if (path.startsWith("composition/flows/")) return "flows";
  const adapter = /^adapters\/([^/]+)\//.exec(path);
  if (adapter?.[1] !== undefined) return `adapter:${adapter[1]}`;
  if (ANYWHERE.test(path)) return "entry-anywhere";
  if (path.startsWith("composition/")) return "entry-node";
  return "unlisted";
}

/** `undefined` when the import is allowed, else the reason why it is not. */
export function judgeImport(fromPath: string, specifier: string): string | undefined {
  const from = layerOf(fromPath);
  if (from === "unlisted") return "a file outside the listed folders";
  return isRelative(specifier)
    ? judgeInside(from, layerOf(resolvePath(fromPath, specifier)), resolvePath(fromPath, specifier))
    : judgePackage(from, specifier);
}

function judgeInside(from: Layer, to: Layer, toPath: string): string | undefined {
  if (to === "unlisted") return `imports ${toPath}, which is in no listed folder`;
  if (from === to) return undefined;
  switch (from) {
    case "domain":
      return "a decision must be testable without a world: domain imports domain only";
    case "ports":
      return to === "domain" ? undefined : "a port that names a technology is an adapter";
    case "flows":
      return to === "domain" || to === "ports" ? undefined : "stories run against fakes";
    case "entry-anywhere":
      return mayRunAnywhere(to) ? undefined : "this entry point works where there is no Node API";
    case "entry-node":
      return undefined;
    default:
      return to === "domain" || to === "ports"
        ? undefined
        : "adapters know one technology and not each other";
  }
}

function mayRunAnywhere(to: Layer): boolean {
  if (to === "domain" || to === "ports" || to === "flows") return true;
  return PORTABLE_ADAPTERS.some((name) => to === `adapter:${name}`);
}

function judgePackage(from: Layer, specifier: string): string | undefined {
  if (builtinModules.includes(specifier)) return "built-in modules are named with node:";
  const owned = OWNED_PACKAGES.find(([pattern]) => pattern.test(specifier));
  if (owned !== undefined && ![owned[1]].flat().some((owner) => from === `adapter:${owner}`)) {
    return owned[2];
  }
  const node = specifier.startsWith("node:");
  switch (from) {
    case "domain":
      return !node && DOMAIN_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`))
        ? undefined
        : "domain imports only pure single-purpose packages";
    case "ports":
      return "a port names no package";
    case "flows":
      return "a flow names no package";
    case "entry-anywhere":
      return "this entry point works where there is no Node API";
    default:
      return node && PORTABLE_ADAPTERS.some((name) => from === `adapter:${name}`)
        ? "this adapter is used where there is no Node API"
        : undefined;
  }
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

function resolvePath(fromPath: string, specifier: string): string {
  return new URL(specifier, `file:///${fromPath}`).pathname.slice(1);
}
