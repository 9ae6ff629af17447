import type { MaterialisedText, StdioMaterial } from "../definition/definition.ts";

/** Shorter values mask half of every line, and are found by guessing anyway. UTF-16 units. */
const SHORTEST = 8;
/** For what a credential-shaped variable produced. */
const SHORTEST_SECRET = 4;

/**
 * What the server was given and must not be seen coming back (B5): every environment value, as the
 * projection shows none of them, and every secret stretch of the command line. A value over several lines is
 * known line by line, since output is shown so. Longest first, so that none hides a part of another.
 */
export function knownSecrets(material: StdioMaterial): readonly string[] {
  const found = new Set<string>();
  const add = (text: string, shortest: number): void => {
    for (const line of text.split(/\r?\n/)) if (line.length >= shortest) found.add(line);
  };
  for (const value of material.env.values()) {
    add(value.text, SHORTEST);
    for (const secret of secretStretches(value)) add(secret, SHORTEST_SECRET);
  }
  const commandLine = [
    material.command,
    ...material.args,
    ...(material.cwd === undefined ? [] : [material.cwd]),
  ];
  for (const text of commandLine) {
    for (const secret of secretStretches(text)) add(secret, SHORTEST_SECRET);
  }
  return [...found].toSorted((one, other) => other.length - one.length);
}

function secretStretches({ text, stretches }: MaterialisedText): readonly string[] {
  return stretches.filter((stretch) => stretch.secret).map(({ start, end }) => text.slice(start, end));
}
