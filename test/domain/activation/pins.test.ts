import assert from "node:assert/strict";
import { test } from "node:test";

import { decodePinDocument } from "../../../src/domain/activation/pin-document.ts";
import {
  acceptChanges,
  comparePins,
  firstPins,
  isBoundTo,
  pinDocument,
  pinKey,
  SHOWN_SET_LIMIT,
} from "../../../src/domain/activation/pins.ts";
import type { DisclosedTool } from "../../../src/domain/activation/pins.ts";
import { digestOf, makeSubject, valueOf } from "../../kit/activation.ts";

const SUBJECT = makeSubject();

function tool(name: string, content = name): DisclosedTool {
  return { name, digest: digestOf(content), describe: () => `description: ${content}` };
}

function pin(name: string, content = name) {
  return { name, digest: digestOf(content), shown: `description: ${content}` };
}

test("A7 the first discovery pins every tool as it is, in the order of the names", () => {
  const set = firstPins(SUBJECT, [tool("b"), tool("a")]);

  assert.deepEqual(set, {
    key: pinKey(SUBJECT),
    fingerprint: SUBJECT.provenance.fingerprint,
    tools: [pin("a"), pin("b")],
  });
  assert.deepEqual(comparePins(set, [tool("b"), tool("a")]), []);
});

test("A7 a tool with another definition is changed, one that nobody pinned new, and one that is gone no change", () => {
  const set = firstPins(SUBJECT, [tool("kept"), tool("swapped"), tool("gone")]);

  assert.deepEqual(comparePins(set, [tool("kept"), tool("swapped", "evil"), tool("added")]), [
    {
      serverId: SUBJECT.serverId,
      name: "swapped",
      change: "changed",
      before: pin("swapped"),
      after: pin("swapped", "evil"),
    },
    { serverId: SUBJECT.serverId, name: "added", change: "new", after: pin("added") },
  ]);
});

test("A7 a tool that goes and comes back as it was is no change", () => {
  const set = firstPins(SUBJECT, [tool("a"), tool("b")]);
  assert.deepEqual(comparePins(set, [tool("a")]), []);

  assert.deepEqual(comparePins(set, [tool("a"), tool("b")]), []);
});

test("A7 what is pinned is not described again, since most lists change nothing", () => {
  const set = firstPins(SUBJECT, [tool("a")]);

  const same = { ...tool("a"), describe: () => assert.fail("described") };

  assert.deepEqual(comparePins(set, [same]), []);
});

test("A7 pins are bound to the fingerprint of the approval", () => {
  const set = firstPins(SUBJECT, [tool("a")]);
  const { provenance } = SUBJECT;
  const edited = { ...SUBJECT, provenance: { ...provenance, fingerprint: digestOf("edited") } };

  assert.deepEqual(
    [isBoundTo(set, SUBJECT), isBoundTo(set, edited), isBoundTo(undefined, SUBJECT)],
    [true, false, false],
  );
});

test("A7 what is accepted is pinned as it was shown, and the rest stays as it is", () => {
  const set = firstPins(SUBJECT, [tool("a"), tool("b")]);
  const changes = comparePins(set, [tool("a", "evil"), tool("b", "fine"), tool("c")]);

  const accepted = acceptChanges(set, changes.slice(1));

  assert.deepEqual(accepted?.tools, [pin("a"), pin("b", "fine"), pin("c")]);
});

test("A7 nothing is accepted when one of the pins is another by now than the one that was compared", () => {
  const set = firstPins(SUBJECT, [tool("a"), tool("b")]);
  const changes = comparePins(set, [tool("a", "x"), tool("b", "x"), tool("c")]);

  for (const meanwhile of [
    [tool("a", "y"), tool("b")],
    [tool("a")],
    [tool("a"), tool("b"), tool("c", "y")],
  ]) {
    assert.equal(acceptChanges(firstPins(SUBJECT, meanwhile), changes), undefined);
  }
});

test("A7 what is kept for showing is bounded; digests are all kept", () => {
  const big = "x".repeat(16_000);
  const tools = Array.from({ length: 300 }, (_, index) => ({
    ...tool(`t${index}`),
    describe: () => big,
  }));

  const set = firstPins(SUBJECT, tools);

  const shown = set.tools.reduce((sum, { shown: text }) => sum + text.length, 0);
  assert.ok(shown <= SHOWN_SET_LIMIT && shown > SHOWN_SET_LIMIT - big.length);
  assert.equal(new Set(set.tools.map(({ digest }) => digest)).size, 300);
});

test("A7 pins of a server in a workspace are of that workspace alone", () => {
  const { workspace: _, ...unbound } = SUBJECT;

  assert.deepEqual(pinKey(SUBJECT), {
    serverId: SUBJECT.serverId,
    repositoryIdentity: SUBJECT.workspace?.repositoryIdentity,
  });
  assert.deepEqual(pinKey(unbound), { serverId: SUBJECT.serverId });
});

test("A7 the document of pins is read back exactly", () => {
  const set = firstPins(SUBJECT, [tool("a"), tool("\u202E")]);

  assert.deepEqual(valueOf(decodePinDocument(JSON.parse(JSON.stringify(pinDocument(set))))), set);
});
