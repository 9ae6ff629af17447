import { accept } from "../outcome.ts";
import type { ToolFilter } from "./definition.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import {
  checkOnlyKeys,
  hasField,
  problem,
  readBoolean,
  readInteger,
  readTextList,
  type Read,
} from "./fields.ts";
import { TIMEOUT_LIMIT_MS, TOOL_PATTERNS_LIMIT, TOOL_PATTERN_LENGTH_LIMIT } from "./limits.ts";

const PROTOCOL_VERSION = "2026-07-28";

/** What an entry of either transport may set (D5). */
export interface Settings {
  readonly timeoutMs?: number;
  readonly protocolVersion?: typeof PROTOCOL_VERSION;
  readonly skills: boolean;
  readonly disabled: boolean;
  readonly tools: ToolFilter;
}

const EVERY_TOOL: ToolFilter = Object.freeze({ allow: undefined, deny: [] });

export function decodeSettings(entry: JsonObject): Read<Settings> {
  const timeout = readInteger(own(entry, "timeout"), {
    path: "timeout",
    min: 1,
    max: TIMEOUT_LIMIT_MS,
    unit: "milliseconds",
  });
  if (!timeout.ok) return timeout;
  const version = readProtocolVersion(own(entry, "protocolVersion"));
  if (!version.ok) return version;
  const skills = readBoolean(own(entry, "skills"), "skills");
  if (!skills.ok) return skills;
  if (skills.value !== undefined && version.value === undefined) {
    return problem("conflicting-fields", "skills", `\`protocolVersion\` "${PROTOCOL_VERSION}" with it`);
  }
  const disabled = readDisabled(entry);
  if (!disabled.ok) return disabled;
  const tools = readToolFilter(own(entry, "tools"));
  if (!tools.ok) return tools;
  return accept({
    ...(timeout.value !== undefined && { timeoutMs: timeout.value }),
    ...(version.value !== undefined && { protocolVersion: version.value }),
    skills: skills.value ?? false,
    disabled: disabled.value,
    tools: tools.value,
  });
}

function readProtocolVersion(value: unknown): Read<typeof PROTOCOL_VERSION | undefined> {
  if (value === undefined) return accept(undefined);
  const expected = `"${PROTOCOL_VERSION}"`;
  if (typeof value !== "string") return problem("invalid-type", "protocolVersion", expected);
  return value === PROTOCOL_VERSION
    ? accept(PROTOCOL_VERSION)
    : problem("invalid-value", "protocolVersion", expected);
}

/**
 * `disabled: true`, or `enabled: false` as other hosts spell it: ignoring that one would start what its
 * author turned off. Saying both is refused unless they agree.
 */
function readDisabled(entry: JsonObject): Read<boolean> {
  const disabled = readBoolean(own(entry, "disabled"), "disabled");
  if (!disabled.ok) return disabled;
  const enabled = readBoolean(own(entry, "enabled"), "enabled");
  if (!enabled.ok) return enabled;
  if (hasField(entry, "disabled") && enabled.value === disabled.value) {
    return problem("conflicting-fields", "enabled", "`disabled` alone");
  }
  return accept(disabled.value ?? enabled.value === false);
}

/** A misspelt key or a wrong shape is refused: ignoring it would offer more tools than were meant. */
function readToolFilter(value: unknown): Read<ToolFilter> {
  if (value === undefined) return accept(EVERY_TOOL);
  if (!isJsonObject(value)) return problem("invalid-type", "tools", "an object of `allow` and `deny` lists");
  const shape = checkOnlyKeys(value, ["allow", "deny"], "tools");
  if (!shape.ok) return shape;
  const allow = readPatterns(value, "allow");
  if (!allow.ok) return allow;
  const deny = readPatterns(value, "deny");
  if (!deny.ok) return deny;
  return accept({ allow: hasField(value, "allow") ? allow.value : undefined, deny: deny.value });
}

function readPatterns(tools: JsonObject, key: "allow" | "deny"): Read<readonly string[]> {
  return readTextList(own(tools, key), {
    path: `tools.${key}`,
    expected: "a list of tool names or patterns with `*`",
    maxItems: TOOL_PATTERNS_LIMIT,
    itemLimit: TOOL_PATTERN_LENGTH_LIMIT,
    itemExpected: "a tool name or a pattern with `*`",
    allowEmptyItem: false,
  });
}
