import { isCredentialName } from "./credential-shape.ts";
import { isCredentialWord, isRandomRun } from "./credential-format.ts";

/** What stands for a value that is not shown. */
export const REDACTED = "[redacted]";

// Every pattern below is linear: it either matches runs of one character class as a whole, or looks at a
// bounded number of characters from each start.
const AUTHORIZATION_SCHEME = /\b(bearer|basic)(\s{1,8})(?!\[redacted)[^\s"'`,;]+/gi;
const URL_PARAMETER = /(?<=[?&;#])([^=&?#;\s]{1,128})=(?!\[redacted)[^&#;\s"'`]+/g;
const ASSIGNMENT = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{1,128})=(?!\[redacted)("[^"]*"|'[^']*'|[^\s"'`&;,]+)/g;
const LABELLED =
  /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{1,128})(["']?:(?:\s{1,8}["']?|["']))(?!\[redacted)([^\s"'`,;}]+)/g;
const WORD = /[A-Za-z0-9_.-]{12,}/g;
const RANDOM_RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g;

/**
 * Masks credentials that a text shows by their format: provider tokens, JWTs, `Bearer x`, passwords in a
 * URL, values after credential-shaped names, long random runs (D16).
 *
 * For display only: it recognises formats and may miss a secret or hide a harmless value. What is secret
 * by origin is known from the definition's stretches, and never depends on this. Linear in the text.
 */
export function maskCredentials(text: string): string {
  return maskUserinfo(text)
    .replace(AUTHORIZATION_SCHEME, (_, scheme: string, gap: string) => `${scheme}${gap}${REDACTED}`)
    .replace(URL_PARAMETER, maskNamed)
    .replace(ASSIGNMENT, maskNamed)
    .replace(LABELLED, (found, name: string, between: string) =>
      isCredentialName(name) ? `${name}${between}${REDACTED}` : found,
    )
    .replace(WORD, maskWord)
    .replace(RANDOM_RUN, maskRun);
}

function maskWord(word: string): string {
  return isCredentialWord(word) ? REDACTED : word;
}

function maskRun(run: string): string {
  return isRandomRun(run) ? REDACTED : run;
}

/**
 * What calls something, or goes over several lines. In JavaScript and Perl `auth: f()` and `KEY=f()` run `f`:
 * masked by its name, a program could be approved unseen.
 */
const CODE = /[(`\r\n]/;

/** Masks what has the format of a credential, and nothing because of the name before it. */
function maskFormats(text: string): string {
  return maskUserinfo(text).replace(WORD, maskWord).replace(RANDOM_RUN, maskRun);
}

function maskNamed(found: string, name: string): string {
  return isCredentialName(name) ? `${name}=${REDACTED}` : found;
}

/**
 * Masks as {@link maskCredentials}, and the argument after a flag such as `--token` (D16). In an argument that may be
 * code only what has the format of a credential is masked: an approver has to see what would run.
 */
export function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const flag = index === 0 ? undefined : args[index - 1];
    // A marker already names the variable that is not shown, which tells more.
    const plain = !arg.startsWith("-") && !arg.startsWith("[redacted");
    if (flag !== undefined && plain && isCredentialFlag(flag)) return REDACTED;
    if (CODE.test(arg)) return maskFormats(arg);
    return maskHeaderArgument(arg) ?? maskCredentials(arg);
  });
}

function isCredentialFlag(arg: string): boolean {
  return /^--?[A-Za-z][A-Za-z0-9_-]*$/.test(arg) && isCredentialName(arg);
}

/** `x-api-key:abc` as one argument, the way a header is passed to a program. */
function maskHeaderArgument(arg: string): string | undefined {
  const name = /^([A-Za-z0-9-]{1,128}):(?!\/\/)\s*(?:(?:bearer|basic|token|key|apikey|digest)\s+)?\S+$/i.exec(
    arg,
  )?.[1];
  return name !== undefined && isCredentialName(name) ? `${name}:${REDACTED}` : undefined;
}

/** How far behind `://` user information is looked for. */
const USERINFO_LIMIT = 1_024;

/** Masks the password of `scheme://user:password@host`, and a user name that stands alone: it is a token. */
function maskUserinfo(text: string): string {
  let shown = "";
  let done = 0;
  let scheme = text.indexOf("://");
  while (scheme !== -1) {
    const start = scheme + 3;
    const window = text.slice(start, start + USERINFO_LIMIT);
    const length = userinfoLength(window);
    if (length > 0) {
      const colon = window.slice(0, length).indexOf(":");
      shown += text.slice(done, colon === -1 ? start : start + colon + 1) + REDACTED;
      done = start + length;
    }
    scheme = text.indexOf("://", Math.max(start, done));
  }
  return shown + text.slice(done);
}

function userinfoLength(window: string): number {
  const authority = /^[^\s/?#"'`<>]*/.exec(window)?.[0] ?? "";
  const at = authority.lastIndexOf("@");
  if (at !== -1) return at;
  // A raw `/` or `?` in a password ends the authority early: what stands behind the colon is then no port.
  if (!/^[^:]*:(?!\d*$)/.test(authority)) return 0;
  const word = /^[^\s"'`<>]*/.exec(window)?.[0] ?? "";
  return Math.max(word.lastIndexOf("@"), 0);
}
