// An HTTP host that serves one tool, for a parent that measures it: `bare` (the SDK's handler with no gate), `bare-mcp`
// (the same with the SDK's high-level server), `loopback` or `remote`. Tells `{ port, token }`, and its own processor
// time in milliseconds whenever it is asked.
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";

const SCHEMA = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const TOOL = { name: "echo", description: "Says it again", inputSchema: SCHEMA };
const said = (args) => [{ type: "text", text: args.text }];
const PUBLIC_URL = "https://mcp.example.com/mcp";
const IDENTITY = { name: "bench", version: "1.0.0" };
const session = {
  tools: async () => [TOOL],
  invoke: async (_tool, args) => ({ status: "completed", content: said(args) }),
};

const STARTS = {
  bare: async () => {
    const { createMcpHandler, Server } = await import("@modelcontextprotocol/server");
    return listenBare(
      createMcpHandler(() => {
        const server = new Server(IDENTITY, { capabilities: { tools: {} } });
        server.setRequestHandler("tools/list", async () => ({ tools: [TOOL] }));
        server.setRequestHandler("tools/call", async ({ params }) => ({ content: said(params.arguments) }));
        return server;
      }),
    );
  },
  "bare-mcp": async () => {
    const { createMcpHandler, fromJsonSchema, McpServer } = await import("@modelcontextprotocol/server");
    const inputSchema = fromJsonSchema(SCHEMA);
    return listenBare(
      createMcpHandler(() => {
        const server = new McpServer(IDENTITY);
        server.registerTool("echo", { description: TOOL.description, inputSchema }, (args) => ({
          content: said(args),
        }));
        return server;
      }),
    );
  },
  loopback: async () => {
    const { createMcpHttpHost } = await import("sallyport/node");
    const { url, token } = await createMcpHttpHost({ ...IDENTITY, session }).start();
    return { port: Number(new URL(url).port), token };
  },
  remote: async () => {
    const { createMcpRemoteHttpHost, createSystemAccessTokenVerifier } = await import("sallyport/node");
    const { issuer, token } = await startIssuer();
    const verifier = createSystemAccessTokenVerifier({
      issuer,
      resource: PUBLIC_URL,
      algorithms: ["ES256"],
      requiredScopes: ["mcp:use"],
      allowedClients: ["agent"],
    });
    const { listening } = await createMcpRemoteHttpHost({
      ...IDENTITY,
      session,
      authorization: {
        publicUrl: PUBLIC_URL,
        issuer: "https://issuer.example.com",
        scopes: ["mcp:use"],
        verifier,
      },
    }).start();
    return { port: listening.port, token };
  },
};

async function listenBare(handler) {
  const { toNodeHandler } = await import("@modelcontextprotocol/node");
  const node = toNodeHandler(handler);
  return { port: await listen(createServer((request, response) => void node(request, response))), token: "" };
}

/** Metadata, one key, and a token that is good for an hour. */
async function startIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = { ...publicKey.export({ format: "jwk" }), kid: "one", alg: "ES256", use: "sig" };
  const server = createServer((request, response) => {
    const body = request.url === "/keys" ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const nowS = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: PUBLIC_URL,
    sub: "person",
    client_id: "agent",
    scope: "mcp:use",
    iat: nowS,
    exp: nowS + 3_600,
    jti: "one",
  };
  const input = [{ alg: "ES256", typ: "at+jwt", kid: "one" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return { issuer, token: `${input}.${signature.toString("base64url")}` };
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => process.exit(0));
process.send(await STARTS[process.argv[2]]());
