import { createKeychainCredentialStore } from "../../../src/adapters/keychain/credential-store.ts";
import { WINDOWS_ENTRY_LIMIT_CHARS } from "../../../src/adapters/keychain/credential-store.ts";
import { createFakeKeyring } from "../../kit/fake-keyring.ts";
import { credentialStoreContract } from "../../ports/credential-store.contract.ts";

// The fake refuses what Windows would: cut to its entries, records of every size fit.
credentialStoreContract("keychain", async () =>
  createKeychainCredentialStore({
    load: createFakeKeyring().load,
    entryLimitChars: WINDOWS_ENTRY_LIMIT_CHARS,
  }),
);
