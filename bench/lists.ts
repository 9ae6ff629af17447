import { bareClient } from "./bare-client.ts";
import { client as sallyport } from "./built.ts";
import { compare, program, ratioRow, reportOf, timed, type BenchRow } from "./measure.ts";
import { approvedWorkspace, stdioServer } from "./workspace.ts";

const SIZES = [
  [500, 0.5, 9],
  [5_000, 0.35, 5],
] as const;

/** Listing tools to host-ready objects, verdicts included, against the official client's validated list. */
export async function lists(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [count, bound, rounds] of SIZES) {
    const server = stdioServer("--tools", String(count));
    const world = await approvedWorkspace({ many: server });
    const host = await world.open();
    const client = await bareClient(server, "legacy");
    try {
      const session = await host.connect("many");
      if (!session.ok) throw new Error(session.refusal.refusal.reason);
      const compared = await compare(
        () =>
          timed(async () => {
            const { tools } = await session.value.discover();
            const catalog = sallyport.buildServerCatalog({ serverId: "many", tools: tools.items });
            if (sallyport.buildCatalog([catalog]).tools.size !== count + 2)
              throw new Error("tools are missing");
          }),
        () =>
          timed(async () => {
            const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
            if (tools.length !== count + 2) throw new Error("tools are missing");
          }),
        rounds,
      );
      rows.push(ratioRow(`list ${count} tools, host-ready / listTools`, compared, bound));
    } finally {
      await client.close();
      await host.close();
      await world.remove();
    }
  }
  return rows;
}

/** Heap held for 5,000 listed tools, each side in a process of its own. */
export async function heap(): Promise<readonly BenchRow[]> {
  const world = await approvedWorkspace({ many: stdioServer("--tools", "5000") });
  try {
    const held = async (who: "ours" | "bare"): Promise<number> =>
      (
        await reportOf<{ readonly heldBytes: number }>([
          "--expose-gc",
          program("heap.mjs"),
          who,
          world.workspace,
          world.home,
        ])
      ).heldBytes;
    const [ours, bare] = [await held("ours"), await held("bare")];
    return [
      {
        name: "heap held for 5,000 tools / listTools",
        value: ours / bare,
        unit: "x",
        ours: mebibytes(ours),
        bare: mebibytes(bare),
        bound: 0.6,
      },
    ];
  } finally {
    await world.remove();
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MiB`;
}
