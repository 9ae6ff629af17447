import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

/** One line of the table. */
export interface BenchRow {
  readonly name: string;
  /** What the bound is about: a ratio to the bare run beside it, or a figure of its own. */
  readonly value: number;
  readonly unit: string;
  /** The same ratio in processor time of this process: firmer than wall time on a busy machine. */
  readonly cpuRatio?: number;
  /** The two figures behind a ratio. */
  readonly ours?: string;
  readonly bare?: string;
  /** The most that the value may be (docs/reference/benchmarks.md). */
  readonly bound?: number;
  /** The least, where more is better. */
  readonly least?: number;
}

export interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export type Work = () => Promise<Took>;

export interface Compared {
  readonly ours: Took;
  readonly bare: Took;
  /** Ours by bare, where that was compared round by round; else it is the ratio of the two above. */
  readonly ratio?: Took;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Runs both by turns, so that what else the machine does meets both, and keeps the medians. One turn warms up. */
export async function compare(ours: Work, bare: Work, rounds: number): Promise<Compared> {
  const took: { readonly ours: Took[]; readonly bare: Took[] } = { ours: [], bare: [] };
  await ours();
  await bare();
  for (let round = 0; round < rounds; round += 1) {
    // Who begins changes: the second of two often finds a warmer machine.
    if (round % 2 === 0) took.ours.push(await ours());
    took.bare.push(await bare());
    if (round % 2 === 1) took.ours.push(await ours());
  }
  return { ours: middle(took.ours), bare: middle(took.bare) };
}

export interface Case {
  readonly name: string;
  readonly work: Work;
}

/**
 * Runs the bare work and all cases by turns, so many short rounds, and compares within each round: for what needs both
 * processors of a small machine, where other work comes and goes by the second. The median of the ratios counts.
 */
export async function compareAll(
  bare: Work,
  cases: readonly Case[],
  rounds: number,
): Promise<readonly (readonly [name: string, compared: Compared])[]> {
  const works = [bare, ...cases.map(({ work }) => work)];
  const all: Took[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const took: Took[] = [];
    for (const work of works) took.push(await work());
    // The first one warms up.
    if (round > 0) all.push(took);
  }
  return cases.map(({ name }, index) => [name, paired(all.map((took) => [took[index + 1], took[0]]))]);
}

function paired(rounds: readonly (readonly [ours: Took | undefined, bare: Took | undefined])[]): Compared {
  const both = rounds.flatMap(([ours, bare]) =>
    ours === undefined || bare === undefined ? [] : [{ ours, bare }],
  );
  return {
    ours: middle(both.map(({ ours }) => ours)),
    bare: middle(both.map(({ bare }) => bare)),
    ratio: middle(
      both.map(({ ours, bare }) => ({ wallMs: ours.wallMs / bare.wallMs, cpuMs: ours.cpuMs / bare.cpuMs })),
    ),
  };
}

function middle(runs: readonly Took[]): Took {
  return { wallMs: median(runs.map(({ wallMs }) => wallMs)), cpuMs: median(runs.map(({ cpuMs }) => cpuMs)) };
}

export function ratioRow(name: string, compared: Compared, bound?: number): BenchRow {
  const { ours, bare } = compared;
  const ratio = ratioOf(compared);
  return {
    name,
    value: ratio.wallMs,
    unit: "x",
    cpuRatio: ratio.cpuMs,
    ours: shown(ours),
    bare: shown(bare),
    ...(bound !== undefined && { bound }),
  };
}

/** How many times as many requests a second ours answers. */
export function throughputRow(name: string, compared: Compared, least: number): BenchRow {
  const { wallMs, cpuMs } = ratioOf(compared);
  return { ...ratioRow(name, compared), value: 1 / wallMs, cpuRatio: 1 / cpuMs, least };
}

function ratioOf({ ours, bare, ratio }: Compared): Took {
  return ratio ?? { wallMs: ours.wallMs / bare.wallMs, cpuMs: ours.cpuMs / bare.cpuMs };
}

function shown({ wallMs, cpuMs }: Took): string {
  return `${figure(wallMs)} ms (${figure(cpuMs)})`;
}

export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** Wall and processor time of this process for a piece of work. */
export async function timed(work: () => Promise<unknown>): Promise<Took> {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

const REPORT = fileURLToPath(new URL("programs/report-cpu.mjs", import.meta.url));

/** Runs a program in a fresh process: its wall time from outside, and the processor time it reports itself. */
export async function timedProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Took> {
  const startedMs = performance.now();
  const { report } = await runProgram(["--import", REPORT, ...args], { ...process.env, ...env });
  const wallMs = performance.now() - startedMs;
  return { wallMs, cpuMs: Number(report) };
}

/** What a program says about itself on its third descriptor, as JSON. */
export async function reportOf<Report>(args: readonly string[]): Promise<Report> {
  return JSON.parse((await runProgram(args, process.env)).report);
}

function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ readonly report: string }> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const said = { report: "", errors: "" };
  child.stdout?.resume();
  child.stderr?.on("data", (chunk: Buffer) => (said.errors += chunk.toString()));
  child.stdio[3]?.on("data", (chunk: Buffer) => (said.report += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${said.errors}`));
    });
  });
}

export function program(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

export function built(name: string): string {
  return fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
}
