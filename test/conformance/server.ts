/**
 * The server that the official conformance suite is run against: a session behind the loopback host's own listener,
 * gate and handler. The first line it prints is its URL.
 *
 * The suite sends no bearer and has no way to. The gate is the loopback host's all the same, with every check of Host,
 * Origin, path and method; only that each request is given the bearer before it is judged. Nothing but this test
 * program does that.
 */
import { listenHttp } from "../../src/adapters/node-http/http-listener.ts";
import { createSystemRandom } from "../../src/adapters/system/random.ts";
import { createMcpRequestHandler } from "../../src/composition/serve-agent.ts";
import { HTTP_LIMITS } from "../../src/composition/serve/http-limits.ts";
import { loopbackGate } from "../../src/composition/serve/http-loopback-gate.ts";
import { LOOPBACK_ADDRESS, loopbackAuthority } from "../../src/domain/gate/loopback.ts";
import { BEARER_BYTES, createOwnBearer } from "../../src/domain/gate/own-bearer.ts";
import type { HttpGate } from "../../src/ports/http-gate.ts";
import { createConformanceSession } from "./server-session.ts";

const handler = createMcpRequestHandler({
  name: "conformance",
  version: "1.0.0",
  session: createConformanceSession(),
  askClient: true,
});
const { token, bearer } = createOwnBearer(createSystemRandom().bytes(BEARER_BYTES));

function gateAt(port: number): HttpGate {
  const gate = loopbackGate({ authority: loopbackAuthority(port), bearer, audit: undefined });
  return {
    ...gate,
    judge: (head, from) =>
      gate.judge({ ...head, rawHeaders: [...head.rawHeaders, "authorization", `Bearer ${token}`] }, from),
  };
}

await handler.checkTools();
const listening = await listenHttp({
  host: LOOPBACK_ADDRESS,
  port: 0,
  limits: HTTP_LIMITS,
  handler,
  gateAt: (port) => ({ gate: gateAt(port), url: `http://${LOOPBACK_ADDRESS}:${port}/mcp` }),
});
if (!listening.ok) throw new Error(listening.refusal);
const listener = listening.value;
process.stdout.write(`http://${LOOPBACK_ADDRESS}:${listener.port}/mcp\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void listener.close().then(() => process.exit()));
}
