import { createMemoryResultSpill } from "../kit/memory-result-spill.ts";
import { resultSpillContract } from "./result-spill.contract.ts";

resultSpillContract("the fake", async () => createMemoryResultSpill());
