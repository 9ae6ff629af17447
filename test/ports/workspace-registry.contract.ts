import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import type { Workspace } from "../../src/domain/activation/approval.ts";
import type { WorkspaceRegistry } from "../../src/ports/approval-store.ts";
import { NEVER, valueOf } from "../kit/activation.ts";

export interface RegistryUnderTest {
  readonly registry: WorkspaceRegistry;
  /** Two folders that exist, and one that does not. */
  readonly folder: string;
  readonly otherFolder: string;
  readonly missingFolder: string;
  /** Puts a new folder in the place of the old one. */
  replace(folder: string): Promise<void>;
}

async function look(under: RegistryUnderTest, folder: string = under.folder): Promise<Workspace> {
  return valueOf(await under.registry.inspect(folder, { signal: NEVER }));
}

async function trust(under: RegistryUnderTest, trusted: boolean): Promise<Workspace> {
  return valueOf(await under.registry.setTrusted(under.folder, trusted, { signal: NEVER }));
}

/** Registers what every workspace registry has to do. */
export function workspaceRegistryContract(
  name: string,
  make: (t: TestContext) => Promise<RegistryUnderTest>,
): void {
  test(`A1 ${name}: a workspace that nobody trusted is not trusted`, async (t) => {
    const seen = await look(await make(t));

    assert.equal(seen.trusted, false);
    assert.match(seen.repositoryIdentity, /^[0-9a-f]{64}$/);
  });

  test(`A2 ${name}: looking twice gives the same identity and generation`, async (t) => {
    const under = await make(t);

    assert.deepEqual(await look(under), await look(under));
  });

  test(`A2 ${name}: trusting a workspace keeps its identity and generation`, async (t) => {
    const under = await make(t);
    const before = await look(under);

    assert.deepEqual(await trust(under, true), { ...before, trusted: true });
    assert.deepEqual(await look(under), { ...before, trusted: true });
  });

  test(`A2 ${name}: trusting one workspace does not trust another`, async (t) => {
    const under = await make(t);
    await trust(under, true);

    const other = await look(under, under.otherFolder);

    assert.equal(other.trusted, false);
    assert.notEqual(other.repositoryIdentity, (await look(under)).repositoryIdentity);
  });

  test(`A2 ${name}: withdrawing trust grows the generation, and trusting again does not bring the old one back`, async (t) => {
    const under = await make(t);
    const first = await trust(under, true);

    const withdrawn = await trust(under, false);
    const again = await trust(under, true);

    assert.deepEqual(withdrawn, { ...first, trusted: false, generation: first.generation + 1 });
    assert.deepEqual(again, { ...withdrawn, trusted: true });
  });

  test(`A2 ${name}: withdrawing trust that was never given changes nothing`, async (t) => {
    const under = await make(t);
    const before = await look(under);

    assert.deepEqual(await trust(under, false), before);
    assert.deepEqual(await look(under), before);
  });

  test(`A2 ${name}: a folder put in the place of a trusted one is not trusted and has a new generation`, async (t) => {
    const under = await make(t);
    const trusted = await trust(under, true);

    await under.replace(under.folder);
    const replaced = await look(under);

    assert.equal(replaced.trusted, false);
    assert.equal(replaced.generation, trusted.generation + 1);
    assert.notEqual(replaced.repositoryIdentity, trusted.repositoryIdentity);
    assert.deepEqual(await look(under), replaced);
  });

  test(`A2 ${name}: a replaced folder can be trusted anew, under its new generation`, async (t) => {
    const under = await make(t);
    const old = await trust(under, true);
    await under.replace(under.folder);

    const renewed = await trust(under, true);

    assert.equal(renewed.trusted, true);
    assert.equal(renewed.generation, old.generation + 1);
  });

  test(`A2 ${name}: a folder that is not there is refused`, async (t) => {
    const under = await make(t);
    const refused = { ok: false, refusal: { kind: "store", reason: "workspace-missing" } };

    assert.deepEqual(await under.registry.inspect(under.missingFolder, { signal: NEVER }), refused);
    assert.deepEqual(await under.registry.setTrusted(under.missingFolder, true, { signal: NEVER }), refused);
  });

  test(`A2 ${name}: an aborted call rejects with the signal's reason and trusts nothing`, async (t) => {
    const under = await make(t);
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);

    await assert.rejects(under.registry.setTrusted(under.folder, true, { signal }), reason);

    assert.equal((await look(under)).trusted, false);
  });
}
