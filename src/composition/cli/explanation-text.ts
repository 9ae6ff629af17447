import type { Explanation } from "./explanation.ts";

const WON: Readonly<Record<Explanation["won"], string>> = {
  "only-entry": "it is the only entry of this name",
  "stronger-source": "its source is the strongest that has this name (managed, local, project, user, plugin)",
  "first-given": "it was given before the other entries of this source",
};

/** What `explain` prints and `approve` shows before it asks, line by line. */
export function explanationLines(explanation: Explanation): readonly string[] {
  return [
    ...identityLines(explanation),
    ...problemLines(explanation),
    ...runLines(explanation),
    ...coveredLines(explanation),
    ...changeLines(explanation),
    ...explanation.notes.map(({ text }) => `note: ${text}`),
    ...needLines(explanation),
  ];
}

function identityLines(explanation: Explanation): readonly string[] {
  const { name, source, origin, status, approval, won, shadowed } = explanation;
  const disabled = explanation.disabledReason === undefined ? "" : ` (${explanation.disabledReason})`;
  const reason = approval.reason === undefined ? "" : ` (${approval.reason})`;
  return [
    `server:      ${name}`,
    `from:        ${source}, ${origin}`,
    `status:      ${status}${disabled}`,
    `approval:    ${approval.status}${reason}`,
    `chosen:      ${WON[won]}`,
    ...shadowed.map((entry) => `shadows:     ${entry.source}, ${entry.origin}`),
  ];
}

function problemLines({ problem, obstacle, unsetVariables }: Explanation): readonly string[] {
  return [
    ...(problem === undefined ? [] : [`problem:     ${problem.text}`]),
    ...unsetVariables.map(({ variable, path }) => `no value:    ${variable} in ${path}`),
    ...(obstacle === undefined || problem !== undefined ? [] : [`obstacle:    ${obstacle.message}`]),
  ];
}

function runLines({ launch, contact }: Explanation): readonly string[] {
  const contacted = contact === null ? [] : [`contacts:    ${contact.url}`];
  if (launch === null) return contacted;
  const foundAt = launch.foundAt === launch.executable ? "" : ` (found as ${launch.foundAt})`;
  // A program of an HTTP server prints its headers, and is run anew whenever they are refused.
  const runs = contact === null ? "starts:      " : "for headers: ";
  return [
    ...contacted,
    `${runs}${launch.executable}${foundAt}${launch.shell ? "   ! runs whatever its arguments say" : ""}`,
    `in:          ${launch.cwd}`,
    `variables:   ${launch.envKeys.length === 0 ? "none besides the base environment" : launch.envKeys.join(", ")}`,
  ];
}

function coveredLines({ fingerprint, covered }: Explanation): readonly string[] {
  if (fingerprint === null) return [];
  return [
    `fingerprint: ${fingerprint}`,
    ...covered.map(
      ({ path, shown, changesCode }) =>
        `  ${path}: ${shown}${changesCode ? "   ! changes which code runs" : ""}`,
    ),
  ];
}

function changeLines({ changes }: Explanation): readonly string[] {
  if (changes.length === 0) return [];
  return [
    "changed since the last approval:",
    ...changes.map(({ path, change, before, after }) => {
      if (change === "added") return `  + ${path}: ${after ?? ""}`;
      if (change === "removed") return `  - ${path}: ${before ?? ""}`;
      // Values of variables and headers show alike on both sides; that they changed is what counts.
      return before === after ? `  ~ ${path}` : `  ~ ${path}: ${before ?? ""} -> ${after ?? ""}`;
    }),
  ];
}

function needLines({ needs }: Explanation): readonly string[] {
  const flags = needFlags(needs);
  return flags.length === 0 ? [] : [`approving it needs: ${flags.join(" ")}`];
}

/** The flags that an approval has to carry (M4). */
export function needFlags({ allowEnv, allowShell }: Explanation["needs"]): readonly string[] {
  return [...allowEnv.map((key) => `--allow-env=${key}`), ...(allowShell ? ["--allow-shell"] : [])];
}
