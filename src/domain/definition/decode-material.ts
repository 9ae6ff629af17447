import { accept } from "../outcome.ts";
import { isCredentialName } from "./credential-shape.ts";
import { decodeHeadersHelper } from "./decode-helper.ts";
import type { HttpMaterial, MaterialisedText, StdioMaterial } from "./definition.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { problem, readText, readTextList, type Read, type TextRule } from "./fields.ts";
import { ARGS_LIMIT, ENV_LIMIT, ENV_VALUE_LIMIT, HEADERS_LIMIT, KEY_LIMIT, TEXT_LIMIT } from "./limits.ts";
import { materialise, type Findings, type MaterialisePlace } from "./materialise.ts";
import type { Environment } from "./resolution.ts";

export interface MaterialContext {
  readonly environment: Environment;
  readonly findings: Findings;
}

export function decodeStdioMaterial(entry: JsonObject, context: MaterialContext): Read<StdioMaterial> {
  const command = readRequired(entry, "command", context);
  if (!command.ok) return command;
  const args = readArgs(own(entry, "args"), context);
  if (!args.ok) return args;
  const cwd = readCwd(own(entry, "cwd"), context);
  if (!cwd.ok) return cwd;
  const env = readMap(own(entry, "env"), ENV_RULE, context);
  if (!env.ok) return env;
  return accept({
    transport: "stdio",
    command: command.value,
    args: args.value,
    cwd: cwd.value,
    env: env.value,
  });
}

export function decodeHttpMaterial(
  entry: JsonObject,
  transport: HttpMaterial["transport"],
  context: MaterialContext,
): Read<HttpMaterial> {
  const url = readRequired(entry, "url", context);
  if (!url.ok) return url;
  const headers = readMap(own(entry, "headers"), HEADERS_RULE, context);
  if (!headers.ok) return headers;
  const env = readMap(own(entry, "env"), ENV_RULE, context);
  if (!env.ok) return env;
  const headersHelper = decodeHeadersHelper(own(entry, "headersHelper"));
  if (!headersHelper.ok) return headersHelper;
  return accept({
    transport,
    url: url.value,
    headers: headers.value,
    env: env.value,
    headersHelper: headersHelper.value,
  });
}

function readRequired(
  entry: JsonObject,
  field: "command" | "url",
  context: MaterialContext,
): Read<MaterialisedText> {
  const expected = field === "command" ? "the program to start" : "the address of the server";
  const value = own(entry, field);
  if (value === undefined) return problem("missing-field", field, expected);
  return readTemplate(value, { path: field, expected, limit: TEXT_LIMIT, url: field === "url" }, context);
}

function readCwd(value: unknown, context: MaterialContext): Read<MaterialisedText | undefined> {
  if (value === undefined) return accept(undefined);
  return readTemplate(value, { path: "cwd", expected: "the path of a folder", limit: TEXT_LIMIT }, context);
}

function readArgs(value: unknown, context: MaterialContext): Read<readonly MaterialisedText[]> {
  const texts = readTextList(value, {
    path: "args",
    expected: "a list of texts",
    maxItems: ARGS_LIMIT,
    itemLimit: TEXT_LIMIT,
    itemExpected: "a text",
    allowEmptyItem: true,
  });
  if (!texts.ok) return texts;
  const args: MaterialisedText[] = [];
  for (const [index, text] of texts.value.entries()) {
    const rule = { path: `args[${index}]`, expected: "a text", limit: TEXT_LIMIT, allowEmpty: true };
    const arg = readTemplate(text, rule, context);
    if (!arg.ok) return arg;
    args.push(arg.value);
  }
  return accept(args);
}

interface MapRule {
  readonly path: "env" | "headers";
  readonly maxKeys: number;
  readonly valueLimit: number;
  readonly key: RegExp;
  readonly keyExpected: string;
  /** Keys that may stand in a diagnostic: plain names. Any other key is told by its position. */
  readonly plainKey: RegExp;
}

const ENV_RULE: MapRule = {
  path: "env",
  maxKeys: ENV_LIMIT,
  valueLimit: ENV_VALUE_LIMIT,
  // oxlint-disable-next-line no-control-regex -- NUL is what ends a name for the operating system.
  key: /^[^=\0]+$/,
  keyExpected: "names of 1 to 256 characters without `=`",
  plainKey: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
};

const HEADERS_RULE: MapRule = {
  path: "headers",
  maxKeys: HEADERS_LIMIT,
  valueLimit: TEXT_LIMIT,
  // Whether a header may be set, and is a token at all, is decided at admission (H2).
  key: /^[^\0]+$/, // oxlint-disable-line no-control-regex
  keyExpected: "names of 1 to 256 characters",
  plainKey: /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
};

const NO_TEXTS: ReadonlyMap<string, MaterialisedText> = new Map();

function readMap(
  value: unknown,
  rule: MapRule,
  context: MaterialContext,
): Read<ReadonlyMap<string, MaterialisedText>> {
  if (value === undefined) return accept(NO_TEXTS);
  if (!isJsonObject(value)) return problem("invalid-type", rule.path, "an object of texts");
  const entries = Object.entries(value);
  if (entries.length > rule.maxKeys) {
    return problem("too-many", rule.path, `at most ${rule.maxKeys} entries`);
  }
  const map = new Map<string, MaterialisedText>();
  for (const [index, [key, item]] of entries.entries()) {
    if (key.length > KEY_LIMIT || !rule.key.test(key) || /\p{Surrogate}/u.test(key)) {
      return problem("invalid-value", rule.path, rule.keyExpected);
    }
    const path = rule.plainKey.test(key) ? `${rule.path}.${key}` : `${rule.path}[${index}]`;
    const place = {
      path,
      expected: "a text",
      limit: rule.valueLimit,
      allowEmpty: true,
      secret: isCredentialName(key),
    };
    const text = readTemplate(item, place, context);
    if (!text.ok) return text;
    map.set(key, text.value);
  }
  return accept(map);
}

/** A text field, expanded and checked again: a variable can bring in what the configuration may not hold. */
function readTemplate(
  value: unknown,
  rule: TextRule & MaterialisePlace,
  context: MaterialContext,
): Read<MaterialisedText> {
  const written = readText(value, rule);
  if (!written.ok) return written;
  const materialised = materialise(written.value, rule, context);
  if (materialised.text === written.value) return accept(materialised);
  const checked = readText(materialised.text, rule);
  return checked.ok ? accept(materialised) : checked;
}
