import { accept } from "../outcome.ts";
import type { HeadersHelperSettings } from "./definition.ts";
import { isJsonObject, own } from "../json-value.ts";
import { checkOnlyKeys, problem, readPlainText, readTextList, type Read } from "./fields.ts";
import { ARGS_LIMIT, TEXT_LIMIT } from "./limits.ts";

const SHAPE = 'an object such as { "command": "/absolute/program", "args": ["one", "two"] }';
const ABSOLUTE = "an absolute path of a program";

/** POSIX, or a Windows drive. Network paths (`\\host\share`) would run a program from somebody else's machine. */
const ABSOLUTE_PATH = /^(?:\/|[A-Za-z]:[\\/])/;

/** Decodes the `headersHelper` object (D7): an exact argument vector, never a shell line, no templates. */
export function decodeHeadersHelper(value: unknown): Read<HeadersHelperSettings | undefined> {
  if (value === undefined) return accept(undefined);
  const path = "headersHelper";
  // The hint is the same for a shell line and for anything else; the configured text is never in it.
  if (!isJsonObject(value)) return problem("invalid-type", path, SHAPE);
  const shape = checkOnlyKeys(value, ["command", "args"], path);
  if (!shape.ok) return shape;
  const commandPath = `${path}.command`;
  if (own(value, "command") === undefined) return problem("missing-field", commandPath, ABSOLUTE);
  const command = readPlainText(own(value, "command"), {
    path: commandPath,
    expected: ABSOLUTE,
    limit: TEXT_LIMIT,
  });
  if (!command.ok) return command;
  if (!ABSOLUTE_PATH.test(command.value)) return problem("invalid-value", commandPath, ABSOLUTE);
  const args = readTextList(own(value, "args"), {
    path: `${path}.args`,
    expected: "a list of texts",
    maxItems: ARGS_LIMIT,
    itemLimit: TEXT_LIMIT,
    itemExpected: "a text",
    allowEmptyItem: true,
  });
  if (!args.ok) return args;
  const template = args.value.findIndex((arg) => arg.includes("${"));
  if (template !== -1) {
    return problem("template-not-allowed", `${path}.args[${template}]`, "a plain value without `${…}`");
  }
  return accept({ command: command.value, args: args.value });
}
