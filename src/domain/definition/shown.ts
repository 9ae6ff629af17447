import { escapeForDisplay, escapeUrlForDisplay } from "../display-text.ts";
import type { MaterialisedText } from "./definition.ts";
import { maskArguments, maskCredentials, REDACTED } from "./mask.ts";

export { REDACTED };

/** A materialised text for people: secret stretches replaced, known credential formats masked, escaped (D16). */
export function showText(value: MaterialisedText): string {
  return showPlain(withMarkers(value));
}

/** As {@link showText}; non-ASCII characters are escaped too, since look-alike letters make another host. */
export function showUrl(value: MaterialisedText): string {
  return escapeUrlForDisplay(maskCredentials(withMarkers(value)));
}

/** Text that no variable is in. */
export function showPlain(text: string): string {
  return escapeForDisplay(maskCredentials(text));
}

/** Arguments for people, one by one; the value after a flag like `--token` is masked (D16). */
export function showArguments(args: readonly MaterialisedText[]): readonly string[] {
  return maskArguments(args.map((arg) => withMarkers(arg))).map((arg) => escapeForDisplay(arg));
}

/** A command line on which every argument can be told from its neighbours. Not for any shell. */
export function showCommandLine(words: readonly MaterialisedText[]): string {
  return showArguments(words)
    .map((word) => quote(word))
    .join(" ");
}

function quote(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : `"${word.replace(/["\\]/g, "\\$&")}"`;
}

/** `https://h/mcp?key=[redacted:API_KEY]`: the marker names the variable, never anything of its value. */
function withMarkers({ text, stretches }: MaterialisedText): string {
  let shown = "";
  let open = 0;
  for (const stretch of stretches) {
    if (!stretch.secret) continue;
    shown += text.slice(open, stretch.start);
    shown += stretch.variable === undefined ? REDACTED : `[redacted:${stretch.variable}]`;
    open = stretch.end;
  }
  return shown + text.slice(open);
}
