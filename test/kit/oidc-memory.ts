interface Payload {
  grantId?: string;
  uid?: string;
  consumed?: unknown;
}

interface Entry {
  readonly payload: Payload;
  readonly endsAtMs: number;
}

/** What oidc-provider keeps, for as long as one test runs: one store for all of its models. */
export function createOidcMemory(): new (model: string) => OidcMemory {
  const entries = new Map<string, Entry>();
  return class extends OidcMemory {
    constructor(model: string) {
      super(model, entries);
    }
  };
}

/** The port that oidc-provider asks for, by its own names. */
class OidcMemory {
  readonly #model: string;
  readonly #entries: Map<string, Entry>;

  constructor(model: string, entries: Map<string, Entry>) {
    this.#model = model;
    this.#entries = entries;
  }

  async upsert(id: string, payload: Payload, expiresInS?: number): Promise<void> {
    const endsAtMs = expiresInS === undefined ? Infinity : Date.now() + expiresInS * 1_000;
    this.#entries.set(this.#key(id), { payload, endsAtMs });
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#live(this.#key(id));
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    for (const [key, { payload }] of this.#entries) {
      if (key.startsWith(`${this.#model}:`) && payload.uid === uid) return this.#live(key);
    }
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const payload = this.#live(this.#key(id));
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of this.#entries) {
      if (payload.grantId === grantId) this.#entries.delete(key);
    }
  }

  #key(id: string): string {
    return `${this.#model}:${id}`;
  }

  #live(key: string): Payload | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && Date.now() < entry.endsAtMs ? entry.payload : undefined;
  }
}
