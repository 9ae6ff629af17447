import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { AdmittedTarget } from "../../src/domain/egress/target.ts";
import { EgressError, type Egress, type EgressRequest } from "../../src/ports/egress.ts";
import type { ScriptedAnswer } from "../kit/fake-egress.ts";

export interface EgressUnderTest {
  readonly egress: Egress;
  readonly target: AdmittedTarget;
}

const NEVER = new AbortController().signal;
const GET: EgressRequest = { method: "GET", headers: [], responseLimitBytes: 10 };
const HELLO: ScriptedAnswer = { status: 200, headers: { "x-a": "1" }, chunks: ["hello", "world"] };

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** What every egress does, whatever carries it. `make` sets one up whose target gives the scripted answer. */
export function egressContract(
  name: string,
  make: (t: TestContext, answer: ScriptedAnswer) => Promise<EgressUnderTest>,
): void {
  test(`E1 ${name}: status, headers and body arrive`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const outcome = await egress.fetch(target, GET, { signal: NEVER });
    assert.ok(outcome.ok);
    assert.equal(outcome.value.status, 200);
    assert.equal(outcome.value.header("x-a"), "1");
    assert.equal(outcome.value.header("x-b"), undefined);
    assert.equal(await read(outcome.value.body), "helloworld");
  });

  test(`U2 ${name}: a header that came twice has both of its values, in order`, async (t) => {
    const headers = { "www-authenticate": ["Basic", "Bearer"], "x-a": "1" };
    const { egress, target } = await make(t, { status: 401, headers });
    const outcome = await egress.fetch(target, GET, { signal: NEVER });
    assert.ok(outcome.ok);
    assert.deepEqual(
      ["www-authenticate", "x-a", "x-b"].map((header) => outcome.value.headerValues(header)),
      [["Basic", "Bearer"], ["1"], []],
    );
    outcome.value.discard();
  });

  test(`E8 ${name}: a body over its cap fails as response-too-large`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const outcome = await egress.fetch(target, { ...GET, responseLimitBytes: 9 }, { signal: NEVER });
    assert.ok(outcome.ok);
    await assert.rejects(read(outcome.value.body), (error) => {
      assert.ok(error instanceof EgressError);
      assert.deepEqual(error.refusal, { kind: "egress", reason: "response-too-large" });
      return true;
    });
  });

  test(`E8 ${name}: an aborted signal rejects with its very reason`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const reason = { mine: true };
    const fetching = egress.fetch(target, GET, { signal: AbortSignal.abort(reason) });
    await assert.rejects(fetching, (error) => error === reason);
  });

  test(`E8 ${name}: an abort before the body rejects its reader with the very reason`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const controller = new AbortController();
    const outcome = await egress.fetch(target, GET, { signal: controller.signal });
    assert.ok(outcome.ok);
    controller.abort("mine");
    await assert.rejects(read(outcome.value.body), (error) => error === "mine");
  });

  test(`E8 ${name}: a body can be discarded, again and again`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const outcome = await egress.fetch(target, GET, { signal: NEVER });
    assert.ok(outcome.ok);
    outcome.value.discard();
    outcome.value.discard();
  });

  test(`E8 ${name}: closed, it refuses with closed; closing is idempotent`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    await egress.close();
    await egress[Symbol.asyncDispose]();
    assert.deepEqual(await egress.fetch(target, GET, { signal: NEVER }), {
      ok: false,
      refusal: { kind: "egress", reason: "closed" },
    });
  });

  test(`E8 ${name}: closing fails the reader of a body with closed`, async (t) => {
    const { egress, target } = await make(t, HELLO);
    const outcome = await egress.fetch(target, GET, { signal: NEVER });
    assert.ok(outcome.ok);
    await egress.close();
    await assert.rejects(read(outcome.value.body), (error) => {
      assert.ok(error instanceof EgressError);
      assert.deepEqual(error.refusal, { kind: "egress", reason: "closed" });
      return true;
    });
  });
}
