import assert from "node:assert/strict";
import test from "node:test";

import { baseEnvironment } from "../../../src/domain/launch/base-environment.ts";

/** Everything is set, so that only the list decides. */
function everything(name: string): string {
  return `/value of ${name}`;
}

test("M3 the base environment on POSIX is pinned", () => {
  const names = [...baseEnvironment(everything, { platform: "linux", names: [] }).keys()];

  assert.deepEqual(names, ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"]);
});

test("M3 the base environment on Windows is pinned", () => {
  const names = [...baseEnvironment(everything, { platform: "win32" }).keys()];

  assert.deepEqual(names, [
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "LANG",
    "TZ",
  ]);
});

test("M3 locale categories are picked out of the names that are set, and nothing that looks like one", () => {
  const names = ["LC_ALL", "LC_X", "LC_", "LC_ALL=", "lc_time", "XLC_ALL", "AWS_SECRET_ACCESS_KEY"];

  const picked = [...baseEnvironment(everything, { platform: "darwin", names }).keys()];

  assert.deepEqual(
    picked.filter((name) => name.toUpperCase().includes("LC_")),
    ["LC_ALL", "LC_X"],
  );
  assert.equal(picked.includes("AWS_SECRET_ACCESS_KEY"), false);
});

test("M3 without a list of names the known locale categories are looked up", () => {
  const picked = baseEnvironment(everything, { platform: "linux" });

  assert.deepEqual([picked.has("LC_ALL"), picked.has("LC_TIME")], [true, true]);
});

test("M3 a variable that is not set is left out, an empty one is kept", () => {
  const environment = new Map([["LANG", ""]]);

  const picked = baseEnvironment((name) => environment.get(name), { platform: "linux" });

  assert.deepEqual(picked, new Map([["LANG", ""]]));
});

test("E11 a value that old shells take for a function is dropped", () => {
  const environment = new Map([
    ["TERM", "() { :; }; id"],
    ["USER", "someone"],
  ]);

  const picked = baseEnvironment((name) => environment.get(name), { platform: "linux" });

  assert.deepEqual(picked, new Map([["USER", "someone"]]));
});

function pathOf(path: string, platform: string): string | undefined {
  return baseEnvironment((name) => (name === "PATH" ? path : undefined), { platform }).get("PATH");
}

test("M3 E19 relative and empty entries of PATH do not reach a child, whatever the platform", () => {
  assert.equal(pathOf(".:/usr/bin::node_modules/.bin:/bin:", "linux"), "/usr/bin:/bin");
  assert.equal(pathOf("/usr/bin:/bin", "linux"), "/usr/bin:/bin");
  assert.equal(pathOf(".;C:\\Windows;;bin;\\\\host\\share", "win32"), "C:\\Windows;\\\\host\\share");
  for (const path of ["", ".", ":", "bin:./x"]) assert.equal(pathOf(path, "linux"), undefined);
});
