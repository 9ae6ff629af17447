/** Every key of an entry that Sallyport reads; any other is kept as a note (D3). */
export const ENTRY_KEYS: ReadonlySet<string> = new Set([
  "type",
  "command",
  "args",
  "cwd",
  "env",
  "url",
  "headers",
  "oauth",
  "headersHelper",
  "timeout",
  "protocolVersion",
  "skills",
  "disabled",
  "enabled",
  "tools",
]);
