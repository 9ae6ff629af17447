/** What a gate sees of a request: the head as it was sent, and nothing of the body. */
export interface RequestHead {
  readonly method: string;
  /** The request target, character for character. */
  readonly target: string;
  /** Names and values in turn, in order, duplicates kept: what a parser joins or drops is not what was sent. */
  readonly rawHeaders: readonly string[];
}

/** Every value of a header. `name` in lower case. */
export function headerValues({ rawHeaders }: RequestHead, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    // Comparing lengths first spares a copy of nearly every name.
    if (sent?.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

/** The target up to its query, not decoded: an escaped or dotted spelling of a path is another path. */
export function targetPath({ target }: RequestHead): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
