import type { TestContext } from "node:test";

import { createFileOAuthCredentialStore } from "../../src/adapters/files/credential-store.ts";
import { createFileOAuthRefreshLock } from "../../src/adapters/files/refresh-lock.ts";
import { createUndiciEgress } from "../../src/adapters/http-undici/egress.ts";
import { createStreamableHttpAdapter } from "../../src/adapters/mcp-sdk/streamable-http.ts";
import { createRedirectReceiver } from "../../src/adapters/node-http/redirect-receiver.ts";
import { createAuthorizationServerClient } from "../../src/adapters/oauth4webapi/authorization-server.ts";
import { createSystemClock } from "../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../src/adapters/system/random.ts";
import { runMcpOAuthLogin, type LoginOptions } from "../../src/composition/flows/oauth/login.ts";
import { runMcpOAuthLogout } from "../../src/composition/flows/oauth/logout.ts";
import { createOAuthAuthenticator } from "../../src/composition/flows/oauth/oauth-authenticator.ts";
import {
  credentialKeyOf,
  type OauthPorts,
  type OauthServer,
} from "../../src/composition/flows/oauth/oauth-server.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../src/composition/open-session.ts";
import type { Credential } from "../../src/domain/oauth/credential.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Authenticator } from "../../src/ports/authenticator.ts";
import type { Egress } from "../../src/ports/egress.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";
import { approvalOf, httpDefinition } from "./http-carriers.ts";
import { createMemoryAuditLog } from "./memory-audit-log.ts";
import { browse, visit } from "./oidc-browser.ts";

export interface OauthHostOptions {
  readonly url: string;
  /** Sallyport's home; hosts that share it share their credentials. */
  readonly folder: string;
  /** Of the refresh lock, in milliseconds. The shortest by default, so that tests take seconds. */
  readonly staleMs?: number;
  readonly server?: Partial<OauthServer>;
  /** Puts something between the flows and a port. */
  readonly wrap?: (ports: OauthPorts) => OauthPorts;
}

/** Sign-in as a host composes it, of real parts: egress, files, lock, clock, listener. */
export interface OauthHost {
  readonly server: OauthServer;
  readonly ports: OauthPorts;
  readonly authenticator: Authenticator;
  readonly audit: ReturnType<typeof createMemoryAuditLog>;
  readonly egress: Egress;
  login(options?: Partial<LoginOptions>): ReturnType<typeof runMcpOAuthLogin>;
  logout(): ReturnType<typeof runMcpOAuthLogout>;
  connect(): Promise<Outcome<McpSession, PeerFailure>>;
  stored(): Promise<Credential | undefined>;
  /** Puts the end of the stored access token into the past, as if time had gone by. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

const SERVER_ID = "docs";
const IDENTITY = "1".repeat(64);

/** A host that closes with its test. */
export function oauthHost(t: TestContext, options: OauthHostOptions): OauthHost {
  const host = createOauthHost(options);
  t.after(() => host.close());
  return host;
}

/** The same for a program that is no test. */
export function createOauthHost(options: OauthHostOptions): OauthHost {
  const { url, folder, staleMs = 2_000, wrap = (ports) => ports } = options;
  const clock = createSystemClock();
  const policy = { allowDestinations: [] };
  const resolver = { resolve: () => Promise.reject(new Error("loopback is never resolved")) };
  const egress = createUndiciEgress({ resolver, policy, clock });
  const audit = createMemoryAuditLog();
  const server: OauthServer = {
    serverId: SERVER_ID,
    securityIdentity: IDENTITY,
    url,
    settings: {},
    ...options.server,
  };
  const store = createFileOAuthCredentialStore({ folder, clock });
  const ports = wrap({
    authorizationServer: createAuthorizationServerClient({ egress, policy }),
    store,
    lock: createFileOAuthRefreshLock({ folder, clock, staleMs }),
    clock,
    random: createSystemRandom(),
    audit,
  });
  const authenticator = createOAuthAuthenticator({ server, ports });
  const definition = httpDefinition({ url });
  const adapter = createStreamableHttpAdapter({
    egress,
    policy,
    clock,
    authenticatorFor: () => authenticator,
  });
  const key = credentialKeyOf(server);
  const signal = new AbortController().signal;
  const sessions: McpSession[] = [];

  const stored = async (): Promise<Credential | undefined> => {
    const read = await store.get(key, { signal });
    if (!read.ok) throw new Error(read.refusal.reason);
    return read.value;
  };
  return {
    server,
    ports,
    authenticator,
    audit,
    egress,
    stored,
    login: (more) =>
      runMcpOAuthLogin({ server, ports, ...personAtBrowser(), limitMs: 60_000, signal, ...more }),
    logout: () => runMcpOAuthLogout({ key, ports, signal }),
    connect: async () => {
      const admission = adapter.admit(definition, approvalOf(definition));
      if (!admission.ok) throw new Error(admission.refusal.reason);
      const carrier = adapter.construct(admission.value);
      const opened = await openMcpSession({ carrier, serverId: SERVER_ID, clock, random: ports.random });
      if (opened.ok) sessions.push(opened.value);
      return opened;
    },
    expire: async () => {
      const record = await stored();
      if (record?.tokens === undefined) throw new Error("there is no token to end");
      const tokens = { ...record.tokens, expiresAtMs: clock.nowMs() - 1_000 };
      const saved = await store.set({ ...record, tokens }, { signal });
      if (!saved.ok) throw new Error(saved.refusal.reason);
    },
    close: async () => {
      for (const session of sessions) await session.close();
      await egress.close();
    },
  };
}

/** The listener that a browser comes back to, and the person who uses that browser. */
export function personAtBrowser(): Pick<LoginOptions, "receiver" | "showPage"> {
  return {
    receiver: createRedirectReceiver(),
    showPage: async (authorizationUrl, { signal }) => {
      const until = new URL(authorizationUrl).searchParams.get("redirect_uri") ?? "";
      const back = await browse(authorizationUrl, { until, signal });
      // The page answers only once the sign-in is over: nobody waits for it here.
      void visit(back);
      return true;
    },
  };
}
