import * as v from "valibot";

import { type Outcome, accept, refuse } from "../outcome.ts";
import { type WorkspaceRecords, WORKSPACES_VERSION } from "./workspace-record.ts";

/** Workspaces that a registry remembers. */
export const WORKSPACES_LIMIT = 10_000;

const decimal = v.pipe(v.string(), v.regex(/^[0-9]{1,20}$/));

const versioned = v.object({ version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
const document = v.strictObject({
  version: v.literal(WORKSPACES_VERSION),
  workspaces: v.pipe(
    v.array(
      v.strictObject({
        root: v.pipe(v.string(), v.minLength(1), v.maxLength(4_096)),
        inode: decimal,
        createdNs: decimal,
        generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
        trusted: v.boolean(),
      }),
    ),
    v.maxLength(WORKSPACES_LIMIT),
  ),
});

/** Decodes what a file holds; anything that this code would not have written is `store-corrupt`. */
export function decodeWorkspaceDocument(
  value: unknown,
): Outcome<WorkspaceRecords, "store-corrupt" | "store-too-new"> {
  const header = v.safeParse(versioned, value);
  if (!header.success) return refuse("store-corrupt");
  if (header.output.version > WORKSPACES_VERSION) return refuse("store-too-new");
  const decoded = v.safeParse(document, value, { abortEarly: true });
  if (!decoded.success) return refuse("store-corrupt");
  const { workspaces } = decoded.output;
  const records: WorkspaceRecords = new Map(workspaces.map((record) => [record.root, record]));
  return records.size === workspaces.length ? accept(records) : refuse("store-corrupt");
}
