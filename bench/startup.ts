import {
  compare,
  program,
  ratioRow,
  reportOf,
  timedProcess,
  built,
  type BenchRow,
  type Took,
} from "./measure.ts";
import { approvedWorkspace, stdioServer } from "./workspace.ts";

const IMPORTS = [
  ["sallyport", 0.25],
  ["sallyport/client", 1],
  ["sallyport/node", undefined],
] as const;
const ROUNDS = 15;

function imported(specifier: string): () => Promise<Took> {
  return () => reportOf([program("import.mjs"), specifier]);
}

function bareScript(): Promise<Took> {
  return timedProcess([program("empty.mjs")]);
}

/** Importing entry points against importing the official client, each in a fresh process. */
export async function imports(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [specifier, bound] of IMPORTS) {
    const compared = await compare(imported(specifier), imported("@modelcontextprotocol/client"), ROUNDS);
    rows.push(ratioRow(`import ${specifier} / the SDK's client`, compared, bound));
  }
  return rows;
}

/** The command where nothing is connected, against a bare Node script. */
export async function command(): Promise<readonly BenchRow[]> {
  const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
  const world = await approvedWorkspace(Object.fromEntries(names.map((name) => [name, stdioServer(name)])));
  const cli = built("cli.mjs");
  const flags = ["--workspace", world.workspace, "--home", world.home];
  try {
    const help = await compare(() => timedProcess([cli, "--help"]), bareScript, ROUNDS);
    const list = await compare(() => timedProcess([cli, ...flags, "list"]), bareScript, ROUNDS);
    return [
      ratioRow("sallyport --help / a bare Node script", help, 1.5),
      ratioRow("sallyport list, 20 servers / a bare Node script", list, 1.5),
    ];
  } finally {
    await world.remove();
  }
}

/** The command where servers are started, against a bare script on the official client. */
export async function commandOnServers(): Promise<readonly BenchRow[]> {
  const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
  const world = await approvedWorkspace(Object.fromEntries(names.map((name) => [name, stdioServer()])));
  const cli = built("cli.mjs");
  const flags = ["--workspace", world.workspace, "--home", world.home];
  const server = program("sdk-server.mjs");
  try {
    const call = await compare(
      () => timedProcess([cli, ...flags, "call", "server-0__echo", '{"text":"hi"}']),
      () => timedProcess([program("bare-call.mjs"), server]),
      7,
    );
    const tools = await compare(
      () => timedProcess([cli, ...flags, "tools"]),
      () => timedProcess([program("bare-tools.mjs"), server, "20"]),
      3,
    );
    return [
      ratioRow("sallyport call, one stdio server / a bare SDK script", call, 1.3),
      ratioRow("sallyport tools, 20 stdio servers / a bare SDK script", tools, 1.15),
    ];
  } finally {
    await world.remove();
  }
}
