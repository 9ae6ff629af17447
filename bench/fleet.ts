import { bareClient } from "./bare-client.ts";
import { compare, ratioRow, timed, type BenchRow, type Took } from "./measure.ts";
import { approvedWorkspace, stdioServer } from "./workspace.ts";

const SERVERS = 20;
const ROUNDS = 4;

/** Connecting and listing 20 stdio servers side by side, from reading the configuration on. Closing is not counted. */
export async function fleet(): Promise<readonly BenchRow[]> {
  const names = Array.from({ length: SERVERS }, (_, index) => `server-${index}`);
  const world = await approvedWorkspace(Object.fromEntries(names.map((name) => [name, stdioServer()])));
  const ours = async (): Promise<Took> => {
    const opened: { close(): Promise<void> }[] = [];
    const took = await timed(async () => {
      const host = await world.open();
      opened.push(host);
      const { tools } = await host.catalog();
      if (tools.size !== SERVERS * 2) throw new Error("tools are missing");
    });
    for (const host of opened) await host.close();
    return took;
  };
  const bare = async (): Promise<Took> => {
    const opened: { close(): Promise<void> }[] = [];
    const took = await timed(async () => {
      await Promise.all(
        names.map(async () => {
          const client = await bareClient(stdioServer(), "legacy");
          opened.push(client);
          await client.listTools();
        }),
      );
    });
    await Promise.all(opened.map((client) => client.close()));
    return took;
  };
  try {
    return [ratioRow("connect and list 20 stdio servers / the SDK", await compare(ours, bare, ROUNDS), 1.05)];
  } finally {
    await world.remove();
  }
}
