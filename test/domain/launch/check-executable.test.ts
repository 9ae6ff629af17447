import assert from "node:assert/strict";
import test from "node:test";

import { checkExecutable } from "../../../src/domain/launch/check-executable.ts";
import type { LaunchGrant, LaunchRequest } from "../../../src/domain/launch/launch-grant.ts";
import type { StdioDetail } from "../../../src/domain/launch/refusal.ts";
import {
  type World,
  file,
  folder,
  launchGrant,
  launchRequest,
  lookIn,
  smallWorld,
} from "../../kit/launch-world.ts";

interface Row {
  readonly fact: string;
  readonly request?: Partial<LaunchRequest>;
  readonly grant?: Partial<LaunchGrant>;
  readonly world?: (world: World) => void;
  readonly detail: StdioDetail;
}

const REFUSED: readonly Row[] = [
  {
    fact: "an argument more than the vector has",
    request: { args: ["--stdio", "--verbose"] },
    detail: "arguments-not-listed",
  },
  {
    fact: "an argument less than the vector has",
    request: { args: [] },
    detail: "arguments-not-listed",
  },
  {
    fact: "the arguments of a vector in another order",
    request: { args: ["b", "a"] },
    grant: { argumentVectors: [["a", "b"]] },
    detail: "arguments-not-listed",
  },
  {
    fact: "two arguments that only joined are equal",
    request: { args: ["--std", "io"] },
    detail: "arguments-not-listed",
  },
  { fact: "no vector at all", grant: { argumentVectors: [] }, detail: "arguments-not-listed" },
  { fact: "a NUL in the command", request: { command: "server\0.sh" }, detail: "nul" },
  {
    fact: "a NUL in an argument, listed or not",
    request: { args: ["a\0b"] },
    grant: { argumentVectors: [["a\0b"]] },
    detail: "nul",
  },
  { fact: "a NUL in the granted executable", grant: { executable: "/usr/bin/server\0" }, detail: "nul" },
  {
    fact: "a left-over template in the command",
    request: { command: "${SERVER}" },
    detail: "leftover-template",
  },
  {
    fact: "a left-over template in an argument, listed or not",
    request: { args: ["${A:-"] },
    grant: { argumentVectors: [["${A:-"]] },
    detail: "leftover-template",
  },
  { fact: "a relative executable", grant: { executable: "bin/server" }, detail: "not-absolute" },
  { fact: "a bare executable", grant: { executable: "server" }, detail: "not-absolute" },
  {
    fact: "an executable that is not there",
    world: (world) => world.delete("/usr/bin/server"),
    detail: "not-found",
  },
  {
    fact: "an executable named through a symbolic link",
    world: (world) => world.set("/usr/bin/server", file("/opt/server-2/server")),
    detail: "not-canonical",
  },
  {
    fact: "a folder as the executable",
    world: (world) => world.set("/usr/bin/server", folder("/usr/bin/server")),
    detail: "not-a-file",
  },
  {
    fact: "a pipe or device as the executable",
    world: (world) => world.set("/usr/bin/server", file("/usr/bin/server", { kind: "other" })),
    detail: "not-a-file",
  },
  {
    fact: "a file that may not be executed",
    world: (world) => world.set("/usr/bin/server", file("/usr/bin/server", { executable: false })),
    detail: "not-executable",
  },
  {
    fact: "an absolute command that leads to another file",
    request: { command: "/usr/local/bin/server" },
    world: (world) => world.set("/usr/local/bin/server", file("/usr/local/bin/server")),
    detail: "other-executable",
  },
  {
    fact: "an absolute command that leads nowhere",
    request: { command: "/usr/local/bin/server" },
    detail: "other-executable",
  },
  { fact: "a shell as the executable", grant: { executable: "/bin/dash" }, detail: "shell" },
  { fact: "a shell as the name it is called by", grant: { argv0: "sh" }, detail: "shell" },
  { fact: "a shell as the configured command", request: { command: "bash" }, detail: "shell" },
  {
    fact: "a Windows batch file, whose arguments would be a script",
    grant: { executable: "C:\\node\\npx.CMD", argv0: "npx" },
    detail: "batch-file",
  },
];

for (const { fact, request, grant, world: change, detail } of REFUSED) {
  test(`X2 ${fact} is refused as authority/${detail}`, async () => {
    const world = smallWorld();
    change?.(world);

    const outcome = await checkExecutable(launchRequest(request), {
      grant: launchGrant(grant),
      look: lookIn(world),
    });

    assert.deepEqual(outcome, { ok: false, refusal: { kind: "stdio", reason: "authority", detail } });
  });
}

test("X2 the exact command and vector of the authority pass", async () => {
  const outcome = await checkExecutable(launchRequest({ args: ["b"] }), {
    grant: launchGrant({ argumentVectors: [["a"], ["b"]] }),
    look: lookIn(smallWorld()),
  });

  assert.deepEqual(outcome, { ok: true, value: file("/usr/bin/server") });
});

test("X2 an absolute command passes when it leads to the granted file through a symbolic link", async () => {
  const world = smallWorld();
  world.set("/usr/local/bin/server", file("/usr/bin/server"));

  const outcome = await checkExecutable(launchRequest({ command: "/usr/local/bin/server" }), {
    grant: launchGrant(),
    look: lookIn(world),
  });

  assert.equal(outcome.ok, true);
});

test("M4 a shell passes when the authority says so", async () => {
  const world = smallWorld();
  world.set("/usr/bin/dash", file("/usr/bin/dash"));

  const outcome = await checkExecutable(launchRequest({ command: "sh" }), {
    grant: launchGrant({ executable: "/usr/bin/dash", argv0: "/bin/sh", allowShell: true }),
    look: lookIn(world),
  });

  assert.equal(outcome.ok, true);
});

test("X2 a dollar sign without a brace is a plain character of an argument", async () => {
  const outcome = await checkExecutable(launchRequest({ args: ["$HOME", "100$"] }), {
    grant: launchGrant({ argumentVectors: [["$HOME", "100$"]] }),
    look: lookIn(smallWorld()),
  });

  assert.equal(outcome.ok, true);
});

test("X2 no file is looked at while the arguments are not listed", async () => {
  const looked: string[] = [];

  await checkExecutable(launchRequest({ args: ["other"] }), {
    grant: launchGrant(),
    look: lookIn(smallWorld(), looked),
  });

  assert.deepEqual(looked, []);
});
