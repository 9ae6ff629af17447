import { FakeEgress, type ScriptedAnswer } from "./fake-egress.ts";

export const ISSUER = "https://issuer.example";
export const KEYS_URL = "https://keys.example/set";
export const METADATA_URL: string = `${ISSUER}/.well-known/oauth-authorization-server`;

/** An issuer that a test can change while it runs; what it is asked for stands in `egress.sent`. */
export class TestIssuer {
  metadata: ScriptedAnswer = json({ issuer: ISSUER, jwks_uri: KEYS_URL });
  keySet: ScriptedAnswer = json({ keys: [] });
  /** Nothing is answered before it resolves. */
  held: Promise<void> = Promise.resolve();
  readonly egress: FakeEgress = new FakeEgress(async ({ target }) => {
    await this.held;
    if (this.down) return { kind: "network", reason: "connection-refused" };
    if (target.href === METADATA_URL) return this.metadata;
    return target.href === KEYS_URL ? this.keySet : { status: 404 };
  });
  down = false;

  publish(...keys: readonly object[]): void {
    this.keySet = json({ keys });
  }

  /** Of the key set alone. */
  get fetches(): number {
    return this.asked.filter((href) => href === KEYS_URL).length;
  }

  get asked(): readonly string[] {
    return this.egress.sent.map(({ target }) => target.href);
  }
}

export function json(value: unknown): ScriptedAnswer {
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify(value)],
  };
}
