import { createUndiciEgress } from "../../../src/adapters/http-undici/egress.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { admitTarget } from "../../../src/domain/egress/target.ts";
import { FakeResolver } from "../../kit/fake-resolver.ts";

// Fetches each URL of its arguments and prints what came of it, for a test that sets its environment.
const policy = { allowDestinations: [process.env["TEST_ALLOW"] ?? ""] };
const resolver = new FakeResolver({ "allowed.test": ["127.0.0.1"] });
const egress = createUndiciEgress({ resolver, policy, clock: createSystemClock() });
for (const url of process.argv.slice(2)) {
  const target = admitTarget(url, policy);
  const outcome = target.ok
    ? await egress.fetch(
        target.value,
        { method: "GET", headers: [], responseLimitBytes: 1_000 },
        { signal: new AbortController().signal },
      )
    : target;
  process.stdout.write(outcome.ok ? `${outcome.value.status}\n` : `${outcome.refusal.reason}\n`);
}
await egress.close();
