import { isJsonObject } from "../../json-value.ts";
import { accept } from "../../outcome.ts";
import { checkOnlyKeys, problem, type Read } from "../fields.ts";
import { addTo, move, type Draft } from "./draft.ts";

/** One step from a foreign entry to ours. A field that is not there is left alone. */
export type Rule = (draft: Draft) => Read<true>;

const DONE = accept(true as const);

export const rename =
  (from: string, to: string): Rule =>
  (draft) =>
    draft.fields.has(from) ? move(draft, { from, to }, draft.fields.get(from)) : DONE;

/** Their word for a transport, where ours has another. */
export const typeWords =
  (words: Readonly<Record<string, string>>, field = "type"): Rule =>
  (draft) => {
    const written = draft.fields.get(field);
    if (written === undefined) return DONE;
    const word = typeof written === "string" && Object.hasOwn(words, written) ? words[written] : written;
    if (field !== "type") return move(draft, { from: field, to: "type" }, word);
    draft.fields.set(field, word);
    return DONE;
  };

/** Seconds, fractions too; what is no number is left to the decoder, which names it. */
export const seconds =
  (from: string): Rule =>
  (draft) => {
    const value = draft.fields.get(from);
    if (value === undefined) return DONE;
    const ms = typeof value === "number" && Number.isFinite(value) ? Math.round(value * 1000) : value;
    if (from !== "timeout") return move(draft, { from, to: "timeout" }, ms);
    draft.fields.set("timeout", ms);
    return DONE;
  };

/** `["npx", "-y", "x"]`: a program and its arguments in one list. */
export const commandList: Rule = (draft) => {
  const written = draft.fields.get("command");
  if (!Array.isArray(written)) return DONE;
  if (draft.fields.has("args")) return problem("conflicting-fields", "args", "the list in `command` alone");
  const [program, ...args]: readonly unknown[] = written;
  if (program === undefined) return problem("invalid-value", "command", "a program and its arguments");
  draft.fields.set("command", program);
  if (args.length > 0) draft.fields.set("args", args);
  draft.written.set("args", "command");
  return DONE;
};

/** `{ path, args, env }` under `command`, as Zed's settings had it. */
export const commandObject: Rule = (draft) => {
  const written = draft.fields.get("command");
  if (!isJsonObject(written)) return DONE;
  const shape = checkOnlyKeys(written, ["path", "args", "env"], "command");
  if (!shape.ok) return shape;
  draft.fields.delete("command");
  for (const [key, to] of [
    ["path", "command"],
    ["args", "args"],
    ["env", "env"],
  ] as const) {
    const value = Object.hasOwn(written, key) ? written[key] : undefined;
    if (value === undefined || value === null) continue;
    const moved = move(draft, { from: `command.${key}`, to }, value);
    if (!moved.ok) return moved;
  }
  return DONE;
};

/**
 * Lists of tool names become the filter. They are names there and patterns here: an allowed name with `*` or `?` would
 * let more pass than was meant, so it is refused; a denied one only denies more.
 */
export const toolLists =
  (names: { readonly allow?: string; readonly deny?: string }): Rule =>
  (draft) => {
    const filter = new Map<string, unknown>();
    for (const [key, from] of Object.entries(names)) {
      if (draft.fields.has(from) && draft.fields.has("tools")) {
        return problem("conflicting-fields", from, `\`${from}\` or \`tools\`, not both`);
      }
      const value = draft.fields.get(from);
      if (value === undefined) continue;
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      if (key === "allow" && items.some((item) => typeof item === "string" && /[*?]/.test(item))) {
        return problem("invalid-value", from, "tool names without `*` and `?`");
      }
      filter.set(key, value);
      draft.written.set(`tools.${key}`, from);
      draft.fields.delete(from);
    }
    if (filter.size > 0) draft.fields.set("tools", Object.fromEntries(filter));
    return DONE;
  };

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

function variable(name: unknown): string | undefined {
  return typeof name === "string" && VARIABLE.test(name) ? `\${${name}}` : undefined;
}

const VARIABLE_EXPECTED = "the name of an environment variable";

/** The names of variables that the child inherits: `env: { NAME: "${NAME}" }`. */
export const inheritedVariables =
  (from: string): Rule =>
  (draft) => {
    const value = draft.fields.get(from);
    if (value === undefined) return DONE;
    if (!Array.isArray(value)) return problem("invalid-type", from, "a list of names");
    const added: [string, string][] = [];
    for (const [index, item] of value.entries()) {
      const name: unknown = isJsonObject(item) ? item["name"] : item;
      const template = variable(name);
      if (template === undefined || typeof name !== "string") {
        return problem("invalid-value", `${from}[${index}]`, VARIABLE_EXPECTED);
      }
      added.push([name, template]);
    }
    return addTo(draft, { from, to: "env" }, added);
  };

/** The name of the variable that holds a bearer token. */
export const bearerVariable =
  (from: string): Rule =>
  (draft) => {
    const value = draft.fields.get(from);
    if (value === undefined) return DONE;
    const template = variable(value);
    if (template === undefined) return problem("invalid-value", from, VARIABLE_EXPECTED);
    return addTo(draft, { from, to: "headers" }, [["Authorization", `Bearer ${template}`]]);
  };

/** Header name → the name of the variable with its value. */
export const headerVariables =
  (from: string): Rule =>
  (draft) => {
    const value = draft.fields.get(from);
    if (value === undefined) return DONE;
    if (!isJsonObject(value)) return problem("invalid-type", from, "an object of variable names");
    const added: [string, string][] = [];
    for (const [name, item] of Object.entries(value)) {
      const template = variable(item);
      if (template === undefined) return problem("invalid-value", from, VARIABLE_EXPECTED);
      added.push([name, template]);
    }
    return addTo(draft, { from, to: "headers" }, added);
  };

/** `oauth: false` asks for nothing, and one text of scopes is a list of them. */
export const opencodeOauth: Rule = (draft) => {
  const written = draft.fields.get("oauth");
  if (written === false) draft.fields.delete("oauth");
  if (!isJsonObject(written) || typeof written["scope"] !== "string") return DONE;
  const { scope, ...rest } = written;
  const scopes = scope.split(" ").filter((token) => token !== "");
  draft.fields.set("oauth", { ...rest, scopes });
  return DONE;
};

/** Two bounds in one object: ours is that of a request. */
export const requestTimeout: Rule = (draft) => {
  const written = draft.fields.get("timeout");
  if (!isJsonObject(written)) return DONE;
  draft.fields.delete("timeout");
  const value = Object.hasOwn(written, "request") ? written["request"] : undefined;
  return value === undefined ? DONE : move(draft, { from: "timeout.request", to: "timeout" }, value);
};
