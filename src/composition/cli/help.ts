import { FLAG_HELP } from "./flag-help.ts";
import { VERBS } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

const FLAGS = `Flags, before or after the verb:
  --workspace DIR       the workspace; default: the current folder
  --home DIR            Sallyport's own folder; default: $SALLYPORT_HOME, else the platform's
  --config SOURCE[+FORMAT]:FILE
                        read this file as managed, local, project, user or plugin, instead of the default
                        places; may be given more than once, first given wins within a source
  --json                one JSON document on standard output
  --yes                 do not ask
  --help, --version     \`sallyport help VERB\` explains the flags of one verb`;

const CODES = `Exit codes: 0 done, 1 unexpected, 2 usage or configuration, 3 sign-in needed, 4 unreachable,
5 the tool failed, 6 denied (approval, policy, authority).`;

/** The whole help, or that of one verb. */
export function helpText(verb?: Verb): string {
  if (verb !== undefined) {
    const { usage, summary, flags } = VERBS[verb];
    const own = flags.map((flag) => {
      const [form, meaning] = FLAG_HELP[flag];
      return `  ${form}\n      ${meaning}`;
    });
    const section = own.length === 0 ? "" : `Flags of ${verb}:\n${own.join("\n")}\n\n`;
    return `Usage: sallyport ${usage}\n\n${summary}\n\n${section}${FLAGS}\n`;
  }
  const verbs = Object.values(VERBS).map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return `Usage: sallyport [flags] VERB …\n\n${verbs.join("\n")}\n\n${FLAGS}\n\n${CODES}\n`;
}
