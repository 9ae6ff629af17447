import { createSystemClock } from "../../src/adapters/system/clock.ts";
import { createMemoryCredentialStore } from "../kit/memory-credential-store.ts";
import { createMemoryRefreshLock } from "../kit/memory-refresh-lock.ts";
import { credentialStoreContract } from "./credential-store.contract.ts";
import { refreshLockContract } from "./refresh-lock.contract.ts";

credentialStoreContract("memory", async () => createMemoryCredentialStore());
refreshLockContract("memory", async (_, clock = createSystemClock()) => createMemoryRefreshLock({ clock }));
