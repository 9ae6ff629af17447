/** Bounds on one definition. Lengths are UTF-16 units and hold before and after expansion. */

/** D5: `command` and each argument; the same for `cwd`, `url` and a header value. */
export const TEXT_LIMIT = 16_384;
/** D5. */
export const ARGS_LIMIT = 128;
/** D5: milliseconds, a day. */
export const TIMEOUT_LIMIT_MS = 86_400_000;
/** One environment value: the longest that Windows takes. */
export const ENV_VALUE_LIMIT = 32_768;
export const ENV_LIMIT = 512;
export const HEADERS_LIMIT = 256;
/** An environment key or a header name. */
export const KEY_LIMIT = 256;
/** Patterns in `tools.allow` or `tools.deny`, and the length of one. */
export const TOOL_PATTERNS_LIMIT = 1_024;
export const TOOL_PATTERN_LENGTH_LIMIT = 256;
/** Entries in one container. */
export const SERVERS_LIMIT = 10_000;
