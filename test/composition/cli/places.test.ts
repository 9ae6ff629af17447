import assert from "node:assert/strict";
import { test } from "node:test";

import { configPlaces } from "../../../src/composition/cli/places.ts";

test("M1 --config reads SOURCE:FILE relative to the caller's folder, and the file has to be there", () => {
  const places = configPlaces(["user:a:b.json", "project:/x/.mcp.json"], "/here");

  assert.deepEqual(places, {
    ok: true,
    value: [
      { source: "user", path: "/here/a:b.json", optional: false, folders: {} },
      { source: "project", path: "/x/.mcp.json", optional: false, folders: {} },
    ],
  });
});

test("D1c --config may name the format, and hands on what placeholders may mean", () => {
  const folders = { workspace: "/w", home: "/h" };
  const places = configPlaces(["project+vscode:mcp.json"], "/here", folders);

  assert.deepEqual(places, {
    ok: true,
    value: [{ source: "project", path: "/here/mcp.json", optional: false, folders, format: "vscode" }],
  });
});

test("M5 a --config that nobody can read is a usage problem", () => {
  for (const written of ["", "a.json", "user:", ":a.json", "root:a.json", "user+vscode+mcp:a.json"]) {
    const places = configPlaces([written], "/here");

    assert.ok(!places.ok && places.refusal.startsWith("--config takes SOURCE[+FORMAT]:FILE"), written);
  }
  for (const written of ["user+:a.json", "user+emacs:a.json"]) {
    const places = configPlaces([written], "/here");

    assert.ok(!places.ok && places.refusal.startsWith("--config knows these formats: mcp, cursor"), written);
  }
});
