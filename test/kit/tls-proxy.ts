import { request as forward } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { Agent, fetch as undiciFetch } from "undici";

import { TEST_CERTIFICATE, TEST_KEY } from "./egress-world.ts";

/** What ends TLS in front of a remote host, and passes Host on as it came. */
export interface TlsProxy {
  readonly origin: string;
  /** Where requests go from now on. */
  target: { readonly host: string; readonly port: number };
}

export async function startTlsProxy(t: TestContext): Promise<TlsProxy> {
  const target = { host: "127.0.0.1", port: 0 };
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = forward({ ...proxy.target, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: TlsProxy = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
  };
  return proxy;
}

const trusting = new Agent({ connect: { ca: TEST_CERTIFICATE } });

/** The global `fetch`, but that it trusts the certificate of the tests. */
export const trustingFetch: typeof globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  // Two copies of one implementation: their types do not know of each other.
  const answer = await undiciFetch(url, { ...init, dispatcher: trusting } as Parameters<
    typeof undiciFetch
  >[1]);
  const body = answer.body as ReadableStream<Uint8Array> | null;
  return new Response(body, { status: answer.status, headers: [...answer.headers] });
};
