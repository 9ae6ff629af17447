import { createMemoryPinStore } from "../kit/memory-pin-store.ts";
import { pinStoreContract } from "./pin-store.contract.ts";

pinStoreContract("the fake", async () => createMemoryPinStore());
