import assert from "node:assert/strict";

import { admitTarget } from "../../src/domain/egress/target.ts";
import { FakeEgress } from "../kit/fake-egress.ts";
import { egressContract } from "./egress-contract.ts";

egressContract("fake egress", async (_, answer) => {
  const target = admitTarget("https://example.com/", { allowDestinations: [] });
  assert.ok(target.ok);
  return { egress: new FakeEgress(() => answer), target: target.value };
});
