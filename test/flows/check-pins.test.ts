import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptTools, checkPins } from "../../src/composition/flows/check-pins.ts";
import type { DisclosedTool } from "../../src/domain/activation/pins.ts";
import { pinKey } from "../../src/domain/activation/pins.ts";
import { refuse } from "../../src/domain/outcome.ts";
import type { PinStore } from "../../src/ports/pin-store.ts";
import { digestOf, makeSubject, NEVER, valueOf } from "../kit/activation.ts";
import { createMemoryPinStore } from "../kit/memory-pin-store.ts";

const SUBJECT = makeSubject();
const EDITED = {
  ...SUBJECT,
  provenance: { ...SUBJECT.provenance, fingerprint: digestOf("edited") },
};

function tool(name: string, content = name): DisclosedTool {
  return { name, digest: digestOf(content), describe: () => content };
}

function names(changes: readonly { readonly name: string; readonly change: string }[]): readonly string[] {
  return changes.map(({ name, change }) => `${change} ${name}`);
}

test("A7 the first discovery under an approval pins, and a later one is compared with it", async () => {
  const ports = { pins: createMemoryPinStore(), signal: NEVER };

  const first = valueOf(await checkPins(SUBJECT, [tool("a"), tool("b")], ports));
  const later = valueOf(await checkPins(SUBJECT, [tool("a", "evil"), tool("b"), tool("c")], ports));
  const again = valueOf(await checkPins(SUBJECT, [tool("a", "evil"), tool("b"), tool("c")], ports));

  assert.deepEqual(
    [names(first), names(later), names(again)],
    [[], ["changed a", "new c"], ["changed a", "new c"]],
  );
});

test("A7 a definition that was approved anew is pinned anew", async () => {
  const ports = { pins: createMemoryPinStore(), signal: NEVER };
  await checkPins(SUBJECT, [tool("a")], ports);

  const changes = valueOf(await checkPins(EDITED, [tool("a", "other")], ports));

  assert.deepEqual(changes, []);
  assert.deepEqual(names(valueOf(await checkPins(EDITED, [tool("a")], ports))), ["changed a"]);
});

test("A7 a list without a tool pins nothing: the tools that come after it are the first", async () => {
  const ports = { pins: createMemoryPinStore(), signal: NEVER };

  const empty = valueOf(await checkPins(SUBJECT, [], ports));
  const first = valueOf(await checkPins(SUBJECT, [tool("a")], ports));

  assert.deepEqual([empty, first], [[], []]);
});

test("A7 of two first discoveries at the same time one pins, and the other is compared with it", async () => {
  const memory = createMemoryPinStore();
  let overtaken = false;
  const pins: PinStore = {
    ...memory,
    update: async (key, change, call) => {
      if (!overtaken) {
        overtaken = true;
        await checkPins(SUBJECT, [tool("a")], { pins: memory, signal: NEVER });
      }
      return memory.update(key, change, call);
    },
  };

  const changes = valueOf(await checkPins(SUBJECT, [tool("a", "evil")], { pins, signal: NEVER }));

  assert.deepEqual(names(changes), ["changed a"]);
});

for (const failing of ["load", "update"] as const) {
  test(`A7 a store that cannot ${failing} gives no answer, and not that nothing changed`, async () => {
    const pins: PinStore = {
      ...createMemoryPinStore(),
      [failing]: async () => refuse({ kind: "store", reason: "store-corrupt" }),
    };

    assert.deepEqual(await checkPins(SUBJECT, [tool("a")], { pins, signal: NEVER }), {
      ok: false,
      refusal: { kind: "store", reason: "store-corrupt" },
    });
  });
}

test("A7 what a person accepted is no change any more, and the rest still is", async () => {
  const ports = { pins: createMemoryPinStore(), signal: NEVER };
  await checkPins(SUBJECT, [tool("a"), tool("b")], ports);
  const now = [tool("a", "x"), tool("b", "x")];
  const changes = valueOf(await checkPins(SUBJECT, now, ports));

  valueOf(await acceptTools(SUBJECT, changes.slice(0, 1), ports));

  assert.deepEqual(names(valueOf(await checkPins(SUBJECT, now, ports))), ["changed b"]);
});

test("A7 an acceptance that came too late, is of another approval or of another server writes nothing", async () => {
  const ports = { pins: createMemoryPinStore(), signal: NEVER };
  await checkPins(SUBJECT, [tool("a")], ports);
  const changes = valueOf(await checkPins(SUBJECT, [tool("a", "x")], ports));
  const foreign = changes.map((change) => ({ ...change, serverId: "other" }));
  const before = valueOf(await ports.pins.load(pinKey(SUBJECT), { signal: NEVER }));
  const refusal = { kind: "host", reason: "changed-meanwhile", serverId: SUBJECT.serverId };

  assert.deepEqual(await acceptTools(EDITED, changes, ports), { ok: false, refusal });
  assert.deepEqual(await acceptTools(SUBJECT, foreign, ports), { ok: false, refusal });
  assert.deepEqual(valueOf(await ports.pins.load(pinKey(SUBJECT), { signal: NEVER })), before);
  valueOf(await acceptTools(SUBJECT, changes, ports));
  assert.deepEqual(await acceptTools(SUBJECT, changes, ports), { ok: false, refusal });
});
