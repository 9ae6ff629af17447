import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { Provider } from "oidc-provider";

import { TEST_CERTIFICATE, TEST_KEY } from "./egress-world.ts";
import { createOidcMemory } from "./oidc-memory.ts";
import { trustingFetch } from "./tls-proxy.ts";

const CLIENT = { id: "agent", secret: "canary-client-secret-of-the-agent" } as const;

/** A real authorization server (oidc-provider) that issues RFC 9068 tokens to one client. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** A token of the client-credentials grant, asked for over HTTP like any client does. */
  token(request: { readonly resource: string; readonly scope: string }): Promise<string>;
  stop(): Promise<void>;
}

export interface TokenIssuerOptions {
  readonly alg?: "ES256" | "PS256" | "EdDSA";
  readonly format?: "jwt" | "opaque";
  /** https, with a certificate that only those trust who were told to. */
  readonly tls?: boolean;
}

/** Starts it on loopback, for one test. Every resource and every scope `mcp:…` is granted. */
export async function startTokenIssuer(
  t: TestContext,
  { alg = "ES256", format = "jwt", tls = false }: TokenIssuerOptions = {},
): Promise<TokenIssuer> {
  const asked: string[] = [];
  const server = tls ? createSecureServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }) : createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  t.after(stop);
  const issuer = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = createProvider(issuer, { alg, format }).callback();
  server.on("request", (request, response) => {
    asked.push(request.url ?? "");
    void answer(request, response);
  });
  return {
    issuer,
    clientId: CLIENT.id,
    asked,
    token: async ({ resource, scope }) => {
      const response = await trustingFetch(`${issuer}/token`, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`,
        },
        body: new URLSearchParams({ grant_type: "client_credentials", resource, scope }).toString(),
      });
      const body: unknown = await response.json();
      if (typeof body !== "object" || body === null || !("access_token" in body)) {
        throw new Error(`no token: ${JSON.stringify(body)}`);
      }
      return String(body.access_token);
    },
    stop,
  };
}

function createProvider(
  issuer: string,
  { alg, format }: Required<Pick<TokenIssuerOptions, "alg" | "format">>,
): Provider {
  const { privateKey } = generate(alg);
  return new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg, use: "sig" }] },
    adapter: createOidcMemory(),
    ttl: { ClientCredentials: 600 },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: alg,
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_context: unknown, resource: string) => ({
          audience: resource,
          scope: "mcp:use mcp:other",
          accessTokenFormat: format,
          ...(format === "jwt" && { jwt: { sign: { alg } } }),
        }),
      },
    },
  });
}

function generate(alg: "ES256" | "PS256" | "EdDSA"): ReturnType<typeof generateKeyPairSync> {
  if (alg === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return alg === "EdDSA"
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("rsa", { modulusLength: 2_048 });
}
