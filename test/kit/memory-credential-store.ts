import { credentialSlot } from "../../src/domain/oauth/credential-slot.ts";
import type { Credential, CredentialKey } from "../../src/domain/oauth/credential.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import type {
  CredentialStore,
  CredentialStoreRefusal,
  CredentialWriteOptions,
} from "../../src/ports/credential-store.ts";

type Operation = "get" | "set" | "delete";

export function createMemoryCredentialStore(): MemoryCredentialStore {
  return new MemoryCredentialStore();
}

/** Keeps credentials as long as the test runs, and fails when a test says so. */
export class MemoryCredentialStore implements CredentialStore {
  readonly #records = new Map<string, Credential>();
  /** Every write and deletion that was done, in order. */
  readonly changes: ("set" | "delete")[] = [];
  /** What an operation is refused with from now on. */
  readonly failing: Map<Operation, CredentialStoreRefusal["reason"]> = new Map();
  /** Runs before every operation: a test lets others go first, or crashes here. */
  before: (operation: Operation) => Promise<void> = async () => {};

  async get(
    key: CredentialKey,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Outcome<Credential | undefined, CredentialStoreRefusal>> {
    const refused = await this.#begin("get", signal);
    return refused ?? accept(this.#records.get(credentialSlot(key)));
  }

  async set(
    credential: Credential,
    options: CredentialWriteOptions,
  ): Promise<Outcome<true, CredentialStoreRefusal>> {
    const refused = (await this.#begin("set", options.signal)) ?? this.#compare(credential.key, options);
    if (refused !== undefined) return refused;
    this.#records.set(credentialSlot(credential.key), credential);
    this.changes.push("set");
    return accept(true);
  }

  async delete(
    key: CredentialKey,
    options: CredentialWriteOptions,
  ): Promise<Outcome<true, CredentialStoreRefusal>> {
    const refused = (await this.#begin("delete", options.signal)) ?? this.#compare(key, options);
    if (refused !== undefined) return refused;
    if (this.#records.delete(credentialSlot(key))) this.changes.push("delete");
    return accept(true);
  }

  /** What is stored now, without asking as a flow does. */
  peek(key: CredentialKey): Credential | undefined {
    return this.#records.get(credentialSlot(key));
  }

  /** Puts a record there, as another process would. */
  put(credential: Credential): void {
    this.#records.set(credentialSlot(credential.key), credential);
  }

  async #begin(operation: Operation, signal: AbortSignal): Promise<Refused | undefined> {
    signal.throwIfAborted();
    await this.before(operation);
    const reason = this.failing.get(operation);
    return reason === undefined ? undefined : refuse({ kind: "credential-store", reason });
  }

  #compare(key: CredentialKey, { ifGeneration }: CredentialWriteOptions): Refused | undefined {
    if (ifGeneration === undefined || this.peek(key)?.generation === ifGeneration) return undefined;
    return refuse({ kind: "credential-store", reason: "store-changed" });
  }
}

type Refused = { readonly ok: false; readonly refusal: CredentialStoreRefusal };
