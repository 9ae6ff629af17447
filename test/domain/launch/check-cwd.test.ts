import assert from "node:assert/strict";
import test from "node:test";

import { checkCwd } from "../../../src/domain/launch/check-cwd.ts";
import type { StdioDetail } from "../../../src/domain/launch/refusal.ts";
import { type World, file, folder, lookIn, smallWorld } from "../../kit/launch-world.ts";

interface Row {
  readonly fact: string;
  readonly cwd: string | undefined;
  readonly world?: (world: World) => void;
  readonly root?: string;
  readonly detail: StdioDetail;
}

const REFUSED: readonly Row[] = [
  { fact: "a parent segment that stays inside", cwd: "/work/sub/../sub", detail: "parent-segment" },
  { fact: "a relative path that goes up", cwd: "../elsewhere", detail: "parent-segment" },
  { fact: "a parent segment between backslashes", cwd: "sub\\..\\..", detail: "parent-segment" },
  { fact: "a NUL", cwd: "/work\0/sub", detail: "nul" },
  { fact: "a left-over template", cwd: "/work/${SUB}", detail: "leftover-template" },
  { fact: "a tilde alone", cwd: "~", detail: "home-shorthand" },
  { fact: "a folder below the tilde", cwd: "~/work", detail: "home-shorthand" },
  { fact: "a folder that is not there", cwd: "/work/missing", detail: "not-found" },
  { fact: "an absolute folder elsewhere", cwd: "/elsewhere", detail: "outside-root" },
  {
    fact: "a sibling whose name begins with that of the root",
    cwd: "/work-2",
    world: (world) => world.set("/work-2", folder("/work-2")),
    detail: "outside-root",
  },
  {
    fact: "a symbolic link in the root that leads out of it",
    cwd: "/work/link",
    world: (world) => world.set("/work/link", folder("/elsewhere")),
    detail: "symlink-escape",
  },
  {
    fact: "a relative symbolic link that leads out of the root",
    cwd: "link",
    world: (world) => world.set("/work/link", folder("/elsewhere")),
    detail: "symlink-escape",
  },
  {
    fact: "a file",
    cwd: "/work/readme",
    world: (world) => world.set("/work/readme", file("/work/readme")),
    detail: "not-a-folder",
  },
  {
    fact: "a folder that may not be entered",
    cwd: "/work/closed",
    world: (world) => world.set("/work/closed", folder("/work/closed", { executable: false })),
    detail: "not-enterable",
  },
  { fact: "a root that is not there", cwd: undefined, root: "/gone", detail: "bad-root" },
  {
    fact: "a root named through a symbolic link",
    cwd: undefined,
    root: "/link",
    world: (world) => world.set("/link", folder("/work")),
    detail: "bad-root",
  },
  {
    fact: "a root that is a file",
    cwd: undefined,
    root: "/usr/bin/server",
    detail: "bad-root",
  },
];

for (const { fact, cwd, world: change, root = "/work", detail } of REFUSED) {
  test(`X2 as a working directory ${fact} is refused as cwd/${detail}`, async () => {
    const world = smallWorld();
    change?.(world);

    const outcome = await checkCwd(cwd, { root, look: lookIn(world) });

    assert.deepEqual(outcome, { ok: false, refusal: { kind: "stdio", reason: "cwd", detail } });
  });
}

const ACCEPTED: readonly { fact: string; cwd: string | undefined; realPath: string }[] = [
  { fact: "absent means the allowed root", cwd: undefined, realPath: "/work" },
  { fact: "empty means the allowed root", cwd: "", realPath: "/work" },
  { fact: "the root itself passes", cwd: "/work", realPath: "/work" },
  { fact: "a folder below the root passes", cwd: "/work/sub", realPath: "/work/sub" },
  { fact: "a relative one is seen from the root", cwd: "sub", realPath: "/work/sub" },
  { fact: "dots that are no parent segment pass", cwd: "/work/..data", realPath: "/work/..data" },
  { fact: "a link that stays inside gives the real folder", cwd: "/work/inner", realPath: "/work/sub" },
];

for (const { fact, cwd, realPath } of ACCEPTED) {
  test(`X2 for the working directory ${fact}`, async () => {
    const world = smallWorld();
    world.set("/work/..data", folder("/work/..data"));
    world.set("/work/inner", folder("/work/sub"));

    const outcome = await checkCwd(cwd, { root: "/work", look: lookIn(world) });

    assert.ok(outcome.ok);
    assert.equal(outcome.value.realPath, realPath);
  });
}

test("X2 the file system's root as the allowed root holds every folder", async () => {
  const world = smallWorld();
  world.set("/", folder("/"));

  const outcome = await checkCwd("elsewhere", { root: "/", look: lookIn(world) });

  assert.ok(outcome.ok);
  assert.equal(outcome.value.realPath, "/elsewhere");
});

test("X2 on Windows a folder below the root is told by its backslash", async () => {
  const world: World = new Map([
    ["C:\\work", folder("C:\\work")],
    ["C:\\work\\sub", folder("C:\\work\\sub")],
    ["C:\\work2", folder("C:\\work2")],
  ]);
  const look = lookIn(world);

  const inside = await checkCwd("sub", { root: "C:\\work", look });
  const beside = await checkCwd("C:\\work2", { root: "C:\\work", look });

  assert.ok(inside.ok);
  assert.equal(inside.value.realPath, "C:\\work\\sub");
  assert.ok(!beside.ok);
  assert.equal(beside.refusal.detail, "outside-root");
});
