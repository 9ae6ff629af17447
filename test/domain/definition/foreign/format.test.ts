import assert from "node:assert/strict";
import { test } from "node:test";

import { formatOfPath, type ConfigFormat } from "../../../../src/domain/definition/foreign/format.ts";

const ROWS: readonly (readonly [path: string, format: ConfigFormat])[] = [
  ["/repo/.mcp.json", "mcp"],
  ["/home/me/claude_desktop_config.json", "mcp"],
  ["/repo/.cursor/mcp.json", "cursor"],
  ["/repo/.vscode/mcp.json", "vscode"],
  ["C:\\repo\\.vscode\\mcp.json", "vscode"],
  ["/home/me/.gemini/settings.json", "gemini"],
  ["/ext/gemini-extension.json", "gemini"],
  ["/home/me/.codeium/windsurf/mcp_config.json", "windsurf"],
  ["/x/cline_mcp_settings.json", "cline"],
  ["/repo/.roo/mcp.json", "roo"],
  ["/x/mcp_settings.json", "roo"],
  ["/repo/opencode.json", "opencode"],
  ["/repo/opencode.jsonc", "opencode"],
  ["/home/me/.codex/config.toml", "codex"],
  ["/home/me/.config/zed/settings.json", "zed"],
  ["/repo/.zed/settings.json", "zed"],
  ["/repo/settings.json", "mcp"],
  ["/repo/xopencode.json", "mcp"],
  ["/repo/x.vscode/mcp.json", "mcp"],
];

test("D1c a file's place says whose format it is in, and any other file is in ours", () => {
  for (const [path, format] of ROWS) assert.equal(formatOfPath(path), format, path);
});
