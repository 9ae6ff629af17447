// Tells the processor time of the whole process on descriptor 3, in milliseconds.
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1_000));
});
