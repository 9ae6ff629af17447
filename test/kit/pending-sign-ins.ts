import type { PendingSignIn } from "../../src/domain/oauth/pending-sign-in.ts";
import { Secret } from "../../src/domain/secret.ts";
import { digestOf } from "./activation.ts";

/** A sign-in between its steps; every secret of it holds `canary`. */
export function makePending(changes: Partial<PendingSignIn> = {}): PendingSignIn {
  return {
    key: { serverId: "web", securityIdentity: digestOf("web"), resource: "https://web.test/mcp" },
    issuer: "https://id.test",
    promisesIssuer: true,
    redirectUri: "http://127.0.0.1:4711/callback",
    stateDigest: digestOf("state"),
    tokenEndpoint: "https://id.test/token",
    client: {
      clientId: "client-1",
      origin: "dynamic",
      authentication: "client_secret_basic",
      clientSecret: new Secret("canary-client-secret"),
      redirectUris: ["http://127.0.0.1:4711/callback"],
    },
    reusedClient: false,
    resourceIndicator: "https://web.test/mcp",
    scopes: ["a"],
    verifier: new Secret("canary-verifier"),
    expiresAtMs: 1_800_000_600_000,
    ...changes,
  };
}
