import { parseArgs } from "node:util";

import type { PinPolicy } from "../../domain/activation/pins.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { OPTIONS, VERB_FLAGS } from "./options.ts";
import type { OptionName } from "./options.ts";
import { parseSignInFlags } from "./sign-in-flags.ts";
import type { SignInFlags } from "./sign-in-flags.ts";
import { parseServeFlags } from "./serve-flags.ts";
import type { ServeFlags } from "./serve-flags.ts";
import { noSuchFlag, noSuchVerb, operandProblem } from "./usage-problem.ts";
import type { UsageProblem } from "./usage-problem.ts";
import { isVerb, VERBS } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

/** What a person wrote, checked: nothing behind it looks at `process.argv`. */
export interface CommandLine {
  readonly verb: Verb;
  readonly operands: readonly string[];
  /** As written; absent: the current folder. */
  readonly workspace?: string;
  readonly home?: string;
  /** As written, `SOURCE[+FORMAT]:FILE` each; not empty: instead of the default places. */
  readonly config: readonly string[];
  readonly json: boolean;
  readonly yes: boolean;
  readonly allowEnv: readonly string[];
  readonly allowShell: boolean;
  /** `KEY=VALUE` each. */
  readonly toolArguments: readonly string[];
  readonly timeoutMs?: number;
  /** Every line that servers write to stderr, as it comes. */
  readonly serverStderr: boolean;
  /** Only what changed. */
  readonly changes: boolean;
  readonly pins?: PinPolicy;
  /** Of `login` alone. */
  readonly signIn?: SignInFlags;
  /** Of `serve` alone. */
  readonly serve?: ServeFlags;
}

export type Invocation =
  | { readonly do: "help"; readonly verb?: Verb }
  | { readonly do: "version" }
  | { readonly do: "run"; readonly line: CommandLine };

/** D5. */
const TIMEOUT_LIMIT_MS = 86_400_000;

/** Reads a command line. Flags may stand before and after the verb; `--` ends them. */
export function parseCommandLine(args: readonly string[]): Outcome<Invocation, UsageProblem> {
  const parsed = parseArgs({
    args: [...args],
    options: OPTIONS,
    // Our own checks below: the messages of the strict mode quote what was written.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<OptionName, string[]>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const problem = admitOption(token, given);
    if (problem !== undefined) return refuse(problem);
  }
  const [word, ...operands] = parsed.positionals;
  if (given.has("help")) {
    return accept(word !== undefined && isVerb(word) ? { do: "help", verb: word } : { do: "help" });
  }
  if (given.has("version")) return accept({ do: "version" });
  if (word === undefined) return refuse("say what to do; `sallyport --help` lists the verbs");
  if (word === "help") return helpOf(operands[0]);
  if (!isVerb(word)) return refuse(noSuchVerb(word));
  return commandLine(word, operands, given);
}

function helpOf(word: string | undefined): Outcome<Invocation, UsageProblem> {
  if (word === undefined) return accept({ do: "help" });
  return isVerb(word) ? accept({ do: "help", verb: word }) : refuse(noSuchVerb(word));
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** Notes an option, or says what is wrong with it. */
function admitOption(token: OptionToken, given: Map<OptionName, string[]>): UsageProblem | undefined {
  const { name, value, inlineValue } = token;
  if (!isOption(name)) return noSuchFlag(token.rawName);
  const option: { readonly type: "string" | "boolean"; readonly multiple?: boolean } = OPTIONS[name];
  if (option.type === "boolean") {
    if (value !== undefined) return `--${name} takes no value`;
    given.set(name, []);
    return undefined;
  }
  if (value === undefined) return `--${name} needs a value`;
  if (inlineValue === false && /^-./.test(value)) {
    return `--${name} needs a value; one that begins with a dash is written --${name}=VALUE`;
  }
  if (value === "") return `the value of --${name} is empty`;
  const before = given.get(name);
  if (before !== undefined && option.multiple !== true) return `--${name} stands there twice`;
  given.set(name, [...(before ?? []), value]);
  return undefined;
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

function commandLine(
  verb: Verb,
  operands: readonly string[],
  given: ReadonlyMap<OptionName, readonly string[]>,
): Outcome<Invocation, UsageProblem> {
  const shape = VERBS[verb];
  const foreign = [...given.keys()].find(
    (name) => VERB_FLAGS.has(name) && !shape.flags.some((flag) => flag === name),
  );
  if (foreign !== undefined)
    return refuse(`--${foreign} does not go with ${verb}; usage: sallyport ${shape.usage}`);
  const miscounted = operandProblem(verb, operands.length);
  if (miscounted !== undefined) return refuse(miscounted);
  const timeout = given.get("timeout")?.[0];
  const timeoutMs = timeout === undefined ? undefined : parseTimeout(timeout);
  if (timeout !== undefined && timeoutMs === undefined) {
    return refuse(`--timeout takes whole milliseconds from 1 to ${TIMEOUT_LIMIT_MS}`);
  }
  const pins = given.get("pins")?.[0];
  if (pins !== undefined && !isPinPolicy(pins)) return refuse("--pins takes hold, report or off");
  const signIn = verb === "login" ? parseSignInFlags(given) : accept(undefined);
  if (!signIn.ok) return signIn;
  const serve = verb === "serve" ? parseServeFlags(given) : accept(undefined);
  if (!serve.ok) return serve;
  const workspace = given.get("workspace")?.[0];
  const home = given.get("home")?.[0];
  const line: CommandLine = {
    verb,
    operands,
    ...(workspace !== undefined && { workspace }),
    ...(home !== undefined && { home }),
    config: given.get("config") ?? [],
    json: given.has("json"),
    yes: given.has("yes"),
    allowEnv: given.get("allow-env") ?? [],
    allowShell: given.has("allow-shell"),
    toolArguments: given.get("arg") ?? [],
    ...(timeoutMs !== undefined && { timeoutMs }),
    serverStderr: given.has("server-stderr"),
    changes: given.has("changes"),
    ...(pins !== undefined && { pins }),
    ...(signIn.value !== undefined && { signIn: signIn.value }),
    ...(serve.value !== undefined && { serve: serve.value }),
  };
  return accept({ do: "run", line });
}

function isPinPolicy(text: string): text is PinPolicy {
  return text === "hold" || text === "report" || text === "off";
}

function parseTimeout(text: string): number | undefined {
  if (!/^\d{1,8}$/.test(text)) return undefined;
  const ms = Number(text);
  return ms >= 1 && ms <= TIMEOUT_LIMIT_MS ? ms : undefined;
}
