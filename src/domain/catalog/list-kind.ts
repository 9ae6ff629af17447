import { isJsonObject } from "../json-value.ts";

/** What a server can disclose. Resources and resource templates change together: the protocol has one word for both. */
export type ListKind = "tools" | "prompts" | "resources";

export const LIST_KINDS: readonly ListKind[] = ["tools", "prompts", "resources"];

/** By the method of the notification that says so, in both eras. */
const CHANGED: ReadonlyMap<string, ListKind> = new Map([
  ["notifications/tools/list_changed", "tools"],
  ["notifications/prompts/list_changed", "prompts"],
  ["notifications/resources/list_changed", "resources"],
]);

/** Which list a notification says has changed; `undefined`: it says something else. */
export function changedList(method: string): ListKind | undefined {
  return CHANGED.get(method);
}

/** The lists whose changes a server declares that it announces. */
export function announcedLists(capabilities: ReadonlyMap<string, unknown>): readonly ListKind[] {
  return LIST_KINDS.filter((kind) => {
    const declared = capabilities.get(kind);
    return isJsonObject(declared) && declared["listChanged"] === true;
  });
}
