/**
 * Parses JSON whose objects name no member twice; `undefined` otherwise. RFC 7515 section 4 wants unique names, and
 * two readers that take different ones of a pair would check different claims.
 */
export function parseUniqueJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return repeatsName(text) ? undefined : value;
}

/** A string, or one of the characters that give a document its shape. */
const PIECE = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Goes over valid JSON once. A string is a name where one is due: after `{`, or after `,` in an object. */
function repeatsName(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let nameDue = false;
  for (const [piece] of text.matchAll(PIECE)) {
    const names = open.at(-1);
    if (piece === "{" || piece === "[") open.push(piece === "{" ? new Set() : undefined);
    else if (piece === "}" || piece === "]") open.pop();
    else if (piece !== "," && nameDue && names !== undefined) {
      // Decoded: `"\u0061ud"` and `"aud"` are one name.
      const name: unknown = piece.includes("\\") ? JSON.parse(piece) : piece.slice(1, -1);
      if (typeof name !== "string" || names.has(name)) return true;
      names.add(name);
    }
    nameDue = (piece === "{" || piece === ",") && open.at(-1) !== undefined;
  }
  return false;
}
