import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { createMcpHost } from "../../../src/composition/host/create-mcp-host.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import type { Egress } from "../../../src/ports/egress.ts";
import { collected, valueOf } from "../../kit/activation.ts";
import { approveAll, hostFolders, hostIn, stdioEntry } from "../../kit/hosts.ts";
import { createMemoryApprovalStore } from "../../kit/memory-approval-store.ts";
import { createMemoryAuditLog } from "../../kit/memory-audit-log.ts";

test("H4b an injected egress carries everything, and when it refuses nothing falls back to another", async (t) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const asked: string[] = [];
  const egress: Egress = {
    fetch: async (target, { method }) => {
      asked.push(`${method} ${target.origin}`);
      return refuse({ kind: "egress", reason: "private-address" });
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folders = await hostFolders(t, { web: { url: `${origin}/mcp` } });
  const host = await hostIn(t, folders, { parts: { egress } });
  await approveAll(host, "web");

  const connected = await host.connect("web");

  assert.deepEqual(connected, {
    ok: false,
    refusal: { refusal: { kind: "egress", reason: "private-address" } },
  });
  assert.deepEqual([...new Set(asked)], [`POST ${origin}`]);
  assert.equal(requests, 0);
});

test("A1 a host decides and audits through the stores it was given, and writes no file of its own", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("memory") });
  const audit = createMemoryAuditLog();
  const approvals = createMemoryApprovalStore();
  const host = await hostIn(t, folders, { parts: { approvals, audit } });
  await approveAll(host, "files");

  const other = await createMcpHost({
    ...folders,
    places: [{ source: "project", path: `${folders.workspace}/.mcp.json` }],
    parts: { approvals, audit: createMemoryAuditLog() },
  });
  t.after(() => other.close());

  assert.equal(other.server("files")?.approval?.status, "approved");
  assert.deepEqual(
    (await collected(host.audit())).map(({ action }) => action),
    ["trust", "approve"],
  );
});

test("D15 secrets that differ leave equal fingerprints, identities and approvals", async (t) => {
  const folders = await hostFolders(t, {
    web: { url: "https://mcp.example/", headers: { authorization: "Bearer ${API_TOKEN}" } },
  });
  const approvals = createMemoryApprovalStore();
  const withToken = (token: string) =>
    hostIn(t, folders, {
      environment: (name) => (name === "API_TOKEN" ? token : process.env[name]),
      parts: { approvals },
    });
  const before = await withToken("canary-one-of-two");
  await approveAll(before, "web");

  const after = await withToken("canary-two-of-two");

  assert.equal(after.server("web")?.approval?.status, "approved");
  const stored = JSON.stringify(valueOf(await approvals.load({ signal: new AbortController().signal })));
  assert.doesNotMatch(stored, /canary/);
});
