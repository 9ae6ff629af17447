import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a program in test/fixtures/children. */
export function childFixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/children/${name}`, import.meta.url));
}

/** Asserts that nobody of the group that `leader` led is alive: at once, or within a few turns of the kernel. */
export async function assertGroupGone(leader: number): Promise<void> {
  await assertEventually(() => livingMembers(leader).length === 0, `group ${leader} has living members`);
}

export async function assertProcessGone(pid: number): Promise<void> {
  await assertEventually(() => stateOf(String(pid)) === undefined, `process ${pid} is alive`);
}

export function isAlive(pid: number): boolean {
  return stateOf(String(pid)) !== undefined;
}

/**
 * A SIGKILL is delivered by the kernel in its own time, so the look is repeated. The bound is on looks, each
 * behind a turn of the event loop and a real pause, and only a failing test ever reaches it.
 */
export async function assertEventually(isTrue: () => boolean, message: string): Promise<void> {
  for (let look = 0; look < 400; look += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(message);
}

/** Zombies do not count: in a container whose first process reaps nobody, they stay for ever. */
function livingMembers(group: number): readonly string[] {
  if (process.platform !== "linux") return membersBySignal(group);
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && stateOf(entry)?.group === group);
}

function membersBySignal(group: number): readonly string[] {
  try {
    process.kill(-group, 0);
    return [String(group)];
  } catch {
    return [];
  }
}

function stateOf(pid: string): { readonly group: number } | undefined {
  if (process.platform !== "linux")
    return membersBySignal(-Number(pid)).length > 0 ? { group: 0 } : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : { group: Number(group) };
  } catch {
    return undefined;
  }
}
