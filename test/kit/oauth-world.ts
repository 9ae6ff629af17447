import assert from "node:assert/strict";

import {
  credentialKeyOf,
  type OauthPorts,
  type OauthServer,
} from "../../src/composition/flows/oauth/oauth-server.ts";
import type { AuditEvent } from "../../src/domain/activation/audit-event.ts";
import type { Credential, OauthClient, Tokens } from "../../src/domain/oauth/credential.ts";
import type { AuthRefusal } from "../../src/domain/oauth/refusal.ts";
import { accept, type Outcome } from "../../src/domain/outcome.ts";
import { Secret } from "../../src/domain/secret.ts";
import type { RedirectReceiver } from "../../src/ports/redirect-receiver.ts";
import { FakeAuthorizationServer } from "./fake-authorization-server.ts";
import { FakeClock } from "./fake-clock.ts";
import { MemoryCredentialStore } from "./memory-credential-store.ts";
import { MemoryRefreshLock } from "./memory-refresh-lock.ts";

export const ISSUER = "https://as.example";
export const SERVER_URL = "https://mcp.example/mcp";
export const REDIRECT_URI = "http://127.0.0.1:4711/callback";
export const RESOURCE_METADATA = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
export const ROOT_METADATA = "https://mcp.example/.well-known/oauth-protected-resource";
export const SERVER_METADATA = "https://as.example/.well-known/oauth-authorization-server";

/** A whole world in which a sign-in to {@link SERVER_URL} works; a test breaks one thing of it. */
export class OauthWorld {
  readonly authorizationServer: FakeAuthorizationServer = new FakeAuthorizationServer();
  readonly store: MemoryCredentialStore = new MemoryCredentialStore();
  readonly clock: FakeClock = new FakeClock();
  readonly lock: MemoryRefreshLock = new MemoryRefreshLock(this.clock);
  readonly events: AuditEvent[] = [];
  #random = 0;
  server: OauthServer = {
    serverId: "files",
    securityIdentity: "5".repeat(64),
    url: SERVER_URL,
    settings: {},
  };

  constructor() {
    this.describeResource();
    this.describeServer();
  }

  readonly ports: OauthPorts = {
    authorizationServer: this.authorizationServer,
    store: this.store,
    lock: this.lock,
    clock: this.clock,
    // Different every time, and the same in every run.
    random: { bytes: (count) => new Uint8Array(count).fill((this.#random += 1)) },
    audit: {
      append: async (event) => {
        this.events.push(event);
      },
    },
  };

  describeResource(changes: Readonly<Record<string, unknown>> = {}, url: string = RESOURCE_METADATA): void {
    this.authorizationServer.documents.set(url, {
      resource: SERVER_URL,
      authorization_servers: [ISSUER],
      ...changes,
    });
  }

  describeServer(changes: Readonly<Record<string, unknown>> = {}, url: string = SERVER_METADATA): void {
    this.authorizationServer.documents.set(url, serverDocument(ISSUER, changes));
  }

  change(changes: Partial<OauthServer>): void {
    this.server = { ...this.server, ...changes };
  }

  /** A record as a sign-in leaves it; its token ends in an hour, and its refresh token is good. */
  credential(changes: Partial<Omit<Credential, "tokens">> & { tokens?: Partial<Tokens> } = {}): Credential {
    const nowMs = this.clock.nowMs();
    return {
      key: credentialKeyOf(this.server),
      issuer: ISSUER,
      resourceIndicator: SERVER_URL,
      tokenEndpoint: `${ISSUER}/token`,
      revocationEndpoint: `${ISSUER}/revoke`,
      client: CLIENT,
      grant: "authorization_code",
      generation: "0".repeat(32),
      ...changes,
      tokens: {
        accessToken: new Secret("access-0"),
        refreshToken: new Secret(this.authorizationServer.issue("refresh-0")),
        expiresAtMs: nowMs + 3_600_000,
        obtainedAtMs: nowMs,
        scopes: [],
        ...changes.tokens,
      },
    };
  }

  get stored(): Credential | undefined {
    return this.store.peek(credentialKeyOf(this.server));
  }
}

export const CLIENT: OauthClient = {
  clientId: "client-0",
  origin: "dynamic",
  authentication: "none",
  redirectUris: [REDIRECT_URI],
};

export function serverDocument(
  issuer: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    ...changes,
  };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** A receiver whose browser is a test: `arrive` is what the person's browser is sent to. */
export class FakeReceiver implements RedirectReceiver {
  readonly opened: { readonly port: number | undefined }[] = [];
  readonly closed: (string | undefined)[] = [];
  arrive: (url: string) => void = () => {};

  async open({ port }: { readonly port: number | undefined }): ReturnType<RedirectReceiver["open"]> {
    this.opened.push({ port });
    const received = new Promise<string>((resolve) => {
      this.arrive = resolve;
    });
    return accept({
      redirectUri: REDIRECT_URI,
      received,
      close: async (outcome) => {
        this.closed.push(outcome);
      },
    });
  }
}

/** The refusal of an outcome that has one. */
export function authRefusalOf(outcome: Outcome<unknown, AuthRefusal>): AuthRefusal {
  assert.ok(!outcome.ok, "was not refused");
  return outcome.refusal;
}

/** The value of an outcome that has one. */
export function valueOf<Value>(outcome: Outcome<Value, unknown>): Value {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}
