/** Entries of one service in the machine's keychain. Every function rejects with {@link KeychainUnavailable}. */
export interface Keyring {
  /** `undefined`: the keychain answered that there is no such entry. */
  get(account: string): Promise<string | undefined>;
  set(account: string, text: string): Promise<void>;
  /** Deleting what is not there is done. */
  delete(account: string): Promise<void>;
}

/**
 * Not installed, not what we know, not there, locked, or its owner said no. The module tells these apart only by
 * message text, which is for nobody: it may say what an entry holds.
 */
export class KeychainUnavailable extends Error {}

export interface KeyringOptions {
  readonly service: string;
  /** Answers the module; rejects where it is not installed. */
  readonly load: () => Promise<unknown>;
}

/** The module is an optional peer: only who uses the keychain needs it, and only then is it loaded. */
export function loadInstalledKeyring(): Promise<unknown> {
  return import("@napi-rs/keyring");
}

/**
 * On Linux the module falls back to the kernel's keyring where the Secret Service does not answer. That one
 * forgets everything at a restart, and says "not there" of what the other one keeps: a locked keychain would
 * look empty. So the Secret Service is asked for by name, and its absence is an error.
 */
const ENTRY_OPTIONS = { linux: { store: "secret-service" } };

/** Loads the module and looks whether it is what we know. */
export async function openKeyring({ service, load }: KeyringOptions): Promise<Keyring> {
  const entryClass = await orUnavailable(async () => entryClassOf(await load()));
  const call = (account: string, method: Method, ...args: readonly string[]): Promise<unknown> =>
    orUnavailable(async () => {
      const entry: unknown = Reflect.construct(entryClass, [service, account, ENTRY_OPTIONS]);
      return Reflect.apply(functionOf(entry, method), entry, args);
    });
  return {
    get: async (account) => {
      const text = await call(account, "getPassword");
      if (text === null) return undefined;
      if (typeof text === "string") return text;
      throw new KeychainUnavailable();
    },
    set: async (account, text) => {
      await call(account, "setPassword", text);
    },
    delete: async (account) => {
      await call(account, "deletePassword");
    },
  };
}

/** Of the module's `AsyncEntry`, version 2: `null` and `false` mean "not there", everything else rejects. */
type Method = "getPassword" | "setPassword" | "deletePassword";

function entryClassOf(module: unknown): Callable {
  const entryClass = memberOf(module, "AsyncEntry") ?? memberOf(memberOf(module, "default"), "AsyncEntry");
  if (isCallable(entryClass)) return entryClass;
  throw new KeychainUnavailable();
}

function functionOf(entry: unknown, method: Method): Callable {
  const found = memberOf(entry, method);
  if (isCallable(found)) return found;
  throw new KeychainUnavailable();
}

type Callable = (...args: readonly unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

async function orUnavailable<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch {
    throw new KeychainUnavailable();
  }
}
