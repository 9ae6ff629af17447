/** Configuration formats of other MCP hosts (D1c). `mcp` is our own: `mcpServers` as Claude's files have it. */
export const CONFIG_FORMATS = [
  "mcp",
  "cursor",
  "vscode",
  "gemini",
  "windsurf",
  "cline",
  "roo",
  "opencode",
  "codex",
  "zed",
] as const;

export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** What is known of the places that a foreign placeholder may name. Absolute paths; absent: it stays a placeholder. */
export interface KnownFolders {
  readonly workspace?: string;
  readonly home?: string;
}

/** Where each format keeps its servers, outermost key first; of several places the first that is there counts. */
export const SERVER_PLACES: Readonly<Record<ConfigFormat, readonly (readonly string[])[]>> = {
  mcp: [["mcpServers"]],
  cursor: [["mcpServers"]],
  vscode: [["servers"]],
  gemini: [["mcpServers"]],
  windsurf: [["mcpServers"]],
  cline: [["mcpServers"]],
  roo: [["mcpServers"]],
  opencode: [["mcp", "servers"], ["mcp"]],
  codex: [["mcp_servers"]],
  zed: [["context_servers"]],
};

/** Switches of other hosts by which a file would approve servers itself. Never obeyed (fault C4). */
export const TRUST_SWITCHES: readonly string[] = [
  "enableAllProjectMcpServers",
  "enabledMcpjsonServers",
  "mcpAllowlist",
];

/** By the file's place, as its own host looks for it. Whatever no host claims is `mcp`. */
const PLACES: readonly (readonly [place: RegExp, format: ConfigFormat])[] = [
  [/(^|\/)\.vscode\/mcp\.json$/, "vscode"],
  [/(^|\/)\.cursor\/mcp\.json$/, "cursor"],
  [/(^|\/)(\.gemini\/settings|gemini-extension)\.json$/, "gemini"],
  [/(^|\/)(\.codeium\/windsurf|\.windsurf)\/mcp_config\.json$/, "windsurf"],
  [/(^|\/)cline_mcp_settings\.json$/, "cline"],
  [/(^|\/)(\.roo\/mcp|mcp_settings)\.json$/, "roo"],
  [/(^|\/)opencode\.jsonc?$/, "opencode"],
  [/\.toml$/, "codex"],
  [/(^|\/)\.?zed\/settings\.json$/, "zed"],
];

export function formatOfPath(path: string): ConfigFormat {
  const portable = path.replaceAll("\\", "/");
  return PLACES.find(([place]) => place.test(portable))?.[1] ?? "mcp";
}

export function isConfigFormat(word: string): word is ConfigFormat {
  return CONFIG_FORMATS.some((format) => format === word);
}

/** Formats whose own host accepts comments and trailing commas. */
const COMMENTED: ReadonlySet<ConfigFormat> = new Set(["cursor", "vscode", "gemini", "opencode", "zed"]);

export function allowsComments(format: ConfigFormat): boolean {
  return COMMENTED.has(format);
}
