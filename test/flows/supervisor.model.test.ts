import { test } from "node:test";

import { checkSupervisor } from "../kit/supervisor-model.ts";

test("V3 V5 V6 in whatever order things happen, no server has two connections, no call is repeated, everybody is answered once and nothing is left", async () => {
  await checkSupervisor(500);
});
