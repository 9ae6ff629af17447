// Imports one specifier in a fresh process and tells what that took on descriptor 3.
import { writeSync } from "node:fs";
import { performance } from "node:perf_hooks";

const before = process.cpuUsage();
const startedMs = performance.now();
await import(process.argv[2]);
const wallMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(before);
writeSync(3, JSON.stringify({ wallMs, cpuMs: (user + system) / 1_000 }));
