import { readFileSync, readdirSync } from "node:fs";

/**
 * Signals a whole process group by its leader's id.
 *
 * The number is safe to use only while the group has members: the kernel gives it to nobody else until then.
 * So a caller stops for good once the answer was `gone`, and asks right when the leader was reaped.
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): "sent" | "gone" {
  try {
    process.kill(-leader, signal);
    return "sent";
  } catch (error) {
    // EPERM: members exist and took another identity. They are beyond us, but they are there.
    return isCode(error, "EPERM") ? "sent" : "gone";
  }
}

/** Whether anybody of the group is alive. Dead members that nobody reaped yet do not count. */
export function hasLivingMember(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
  // In a container whose first process reaps nobody, a dead orphan stays in its group for ever: without this
  // look, every close behind a wrapper would wait out the whole ladder.
  return process.platform !== "linux" || hasLivingEntry(leader);
}

function hasLivingEntry(group: number): boolean {
  let entries: readonly string[];
  try {
    entries = readdirSync("/proc");
  } catch {
    return true;
  }
  return entries.some((entry) => /^\d+$/.test(entry) && isLivingIn(group, entry));
}

/** Reads `/proc/<pid>/stat`: `pid (any name) state ppid pgrp …`; the name may hold parentheses and blanks. */
function isLivingIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(processGroup) === group && state !== "Z" && state !== "X";
  } catch {
    // It ended between the listing and the look.
    return false;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
