/**
 * A keychain in memory with the shape of `@napi-rs/keyring` 2: `load()` answers the module. Windows' limit of 2,560
 * bytes of UTF-16 for one entry holds in it.
 */
export interface FakeKeyring {
  readonly load: () => Promise<unknown>;
  /** What is kept: `service account` to text. */
  readonly entries: Map<string, string>;
  /** Every call as `method account`, in order. */
  readonly calls: string[];
  /** Options that entries were opened with. */
  readonly opened: unknown[];
  /** Asked before each call; what it throws, the call rejects with. */
  onCall: (call: string, count: number) => void | Promise<void>;
}

const ENTRY_LIMIT_BYTES = 2_560;

export function createFakeKeyring(): FakeKeyring {
  const entries = new Map<string, string>();
  const keyring: FakeKeyring = {
    load: async () => ({ AsyncEntry, findCredentials: () => [] }),
    entries,
    calls: [],
    opened: [],
    onCall: () => undefined,
  };
  class AsyncEntry {
    readonly #name: string;

    constructor(service: string, account: string, options?: unknown) {
      this.#name = `${service} ${account}`;
      keyring.opened.push(options);
    }

    async getPassword(): Promise<string | null> {
      await this.#called("getPassword");
      return entries.get(this.#name) ?? null;
    }

    async setPassword(password: string): Promise<void> {
      await this.#called("setPassword");
      if (password.length * 2 > ENTRY_LIMIT_BYTES) throw new Error(`TooLong: ${password}`);
      entries.set(this.#name, password);
    }

    async deletePassword(): Promise<boolean> {
      await this.#called("deletePassword");
      return entries.delete(this.#name);
    }

    async #called(method: string): Promise<void> {
      keyring.calls.push(`${method} ${this.#name}`);
      await keyring.onCall(method, keyring.calls.length);
    }
  }
  return keyring;
}
