import assert from "node:assert/strict";
import { test } from "node:test";

import { announcedLists, changedList, LIST_KINDS } from "../../../src/domain/catalog/list-kind.ts";

test("V4 a notification says which list changed, or none", () => {
  assert.deepEqual(
    [
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/resources/updated",
      "constructor",
    ].map(changedList),
    ["tools", "prompts", "resources", undefined, undefined],
  );
});

test("V4 only what a server declares as true is announced, in our order", () => {
  const declared = new Map<string, unknown>([
    ["resources", { listChanged: true }],
    ["prompts", { listChanged: "true" }],
    ["tools", { listChanged: true }],
    ["logging", { listChanged: true }],
  ]);

  assert.deepEqual(announcedLists(declared), ["tools", "resources"]);
  assert.deepEqual(announcedLists(new Map<string, unknown>([["tools", null]])), []);
  assert.deepEqual(LIST_KINDS, ["tools", "prompts", "resources"]);
});
