/** Which JSON Schema a schema says it is written in. Without `$schema`: 2020-12, as MCP has it. */
export interface Dialect {
  /** 4, 6, 7, 2019 or 2020. */
  readonly draft: 4 | 6 | 7 | 2019 | 2020;
}

const DRAFTS: ReadonlyMap<string, Dialect["draft"]> = new Map([
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
  ["json-schema.org/draft/2020-12/schema", 2020],
  ["json-schema.org/schema", 2020],
]);

/** The dialect a `$schema` value names, or `undefined` when it is none we know. Nothing is fetched. */
export function dialectOf(declared: unknown): Dialect | undefined {
  if (declared === undefined) return { draft: 2020 };
  if (typeof declared !== "string") return undefined;
  const match = /^https?:\/\/(.{1,64}?)#?$/.exec(declared.slice(0, 128));
  const draft = DRAFTS.get(match?.[1] ?? "");
  return draft === undefined ? undefined : { draft };
}
