import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Era = "legacy" | "modern";

/** The official client with its own transports and its own defaults. */
export async function bareClient(
  server:
    | { readonly url: string; readonly token?: string }
    | { readonly command: string; readonly args: string[] },
  era: Era,
): Promise<Client> {
  const client = new Client(
    { name: "bare", version: "1.0.0" },
    era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
  );
  const transport =
    "url" in server
      ? new StreamableHTTPClientTransport(new URL(server.url), {
          ...(server.token !== undefined && {
            requestInit: { headers: { authorization: `Bearer ${server.token}` } },
          }),
        })
      : new StdioClientTransport({ ...server, stderr: "ignore" });
  await client.connect(transport);
  return client;
}
