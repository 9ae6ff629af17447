import type { MaterialisedText } from "../definition/definition.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import { isCodeChangingKey } from "./execution-variables.ts";
import type { LaunchGrant } from "./launch-grant.ts";
import { isWindowsPath } from "./paths.ts";
import { type StdioDetail, type StdioRefusal, stdioRefusal } from "./refusal.ts";

/**
 * A letter or `_`, then what POSIX and Windows names are made of (`ProgramFiles(x86)`). Kept narrow: a `%` is
 * how bash exports functions, a `=` would set another variable.
 */
const KEY = /^[A-Za-z_][A-Za-z0-9_.()-]{0,255}$/;

/** Checks step 5 of X2 on the keys alone, before any value is read (X1). */
export function checkEnvironmentKeys(
  keys: readonly string[],
  grant: LaunchGrant,
): Outcome<true, StdioRefusal> {
  const seen = new Set<string>();
  for (const key of keys) {
    const detail = keyProblem(key, grant) ?? (seen.has(sameKey(key, grant)) ? "duplicate-key" : undefined);
    if (detail !== undefined) return refuse(stdioRefusal("environment", detail, { key }));
    seen.add(sameKey(key, grant));
  }
  return accept(true);
}

function keyProblem(key: string, grant: LaunchGrant): StdioDetail | undefined {
  if (!KEY.test(key)) return "invalid-key";
  if (!grant.allowedEnvKeys.includes(key)) return "not-allowed";
  if (isCodeChangingKey(key) && !grant.allowedCodeChangingKeys.includes(key)) return "code-changing";
  return undefined;
}

/** Joins what the authority chose with the definition's values: the child's whole environment (X4). */
export function childEnvironment(
  values: ReadonlyMap<string, MaterialisedText>,
  grant: LaunchGrant,
): Outcome<ReadonlyMap<string, string>, StdioRefusal> {
  const taken = new Set([...values.keys()].map((key) => sameKey(key, grant)));
  const environment = new Map<string, string>();
  for (const [key, value] of grant.environment) {
    if (!taken.has(sameKey(key, grant))) environment.set(key, value);
  }
  for (const [key, value] of values) {
    const detail = valueProblem(value);
    if (detail !== undefined) return refuse(stdioRefusal("environment", detail, { key }));
    environment.set(key, value.text);
  }
  return accept(environment);
}

function valueProblem(value: MaterialisedText): StdioDetail | undefined {
  if (value.text.includes("\0")) return "nul";
  if (value.text.startsWith("()")) return "function-value";
  if (hasLeftoverTemplate(value)) return "leftover-template";
  return undefined;
}

/** Whether a `${` stands in what the configuration wrote; inside a variable's own value it is just text. */
function hasLeftoverTemplate({ text, stretches }: MaterialisedText): boolean {
  let from = 0;
  for (const { start, end } of stretches) {
    if (text.slice(from, start).includes("${")) return true;
    from = end;
  }
  return text.slice(from).includes("${");
}

/** Windows does not tell `Path` from `PATH`: two that differ by case alone are one variable there. */
function sameKey(key: string, grant: LaunchGrant): string {
  return isWindowsPath(grant.executable) ? key.toUpperCase() : key;
}
