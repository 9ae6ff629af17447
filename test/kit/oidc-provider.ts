import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";

import { createOidcMemory } from "./oidc-memory.ts";
import { createTestServer } from "./sdk-servers.ts";

export const SCOPES = ["mcp:read", "mcp:write"] as const;
const ACCOUNT = "alice";

/** What a token request came to: `refresh_token`, or `refresh_token invalid_grant`. */
export type TokenRequest = string;

/** A real authorization server, and an MCP server that takes its tokens. Both on loopback, for one test. */
export interface OidcWorld {
  readonly issuer: string;
  readonly mcpUrl: string;
  /** In order. */
  readonly tokenRequests: readonly TokenRequest[];
  /** Of both servers, as `METHOD path`, in order. */
  readonly asked: readonly string[];
  /** Of the MCP server: `Authorization` as it came, in order; `undefined` where there was none. */
  readonly authorizations: readonly (string | undefined)[];
  isLive(accessToken: string): Promise<boolean>;
  /** Ends an access token before its time, and that one alone. */
  forget(accessToken: string): Promise<void>;
  /** Purges a registered client, as servers do with those they have not seen for a while. */
  purge(clientId: string): Promise<void>;
  /** From now on the MCP server answers 403 `insufficient_scope` to tokens without this scope. */
  demandScope(scope: (typeof SCOPES)[number]): void;
  /** From now on the person says no to every sign-in. */
  sayNo(): void;
  /** The authorization server is gone; its port is closed. */
  stopIssuer(): Promise<void>;
}

export interface OidcWorldOptions {
  readonly accessTokenSeconds?: number;
  /** Whether a refresh token is good once, and its second use ends all of its family. Default: yes. */
  readonly rotation?: boolean;
}

/**
 * Starts oidc-provider with what our sign-in relies on: dynamic registration, `iss`, PKCE, resource indicators,
 * rotation with reuse detection, revocation. Its one person signs in and consents without being shown a page.
 */
export async function startOidcWorld(t: TestContext, options: OidcWorldOptions = {}): Promise<OidcWorld> {
  const asked: string[] = [];
  const tokenRequests: TokenRequest[] = [];
  const authorizations: (string | undefined)[] = [];
  const says = { yes: true, scope: SCOPES[0] as string };

  const issuerSocket = await listen(t);
  const mcpSocket = await listen(t);
  const issuer = issuerSocket.origin;
  const mcpUrl = `${mcpSocket.origin}/mcp`;
  const Memory = createOidcMemory();
  const provider = createProvider(issuer, mcpUrl, { ...options, memory: Memory });
  provider.on("grant.success", (context) => tokenRequests.push(grantOf(context)));
  provider.on("grant.error", (context, error) =>
    tokenRequests.push(`${grantOf(context)} ${error?.message ?? ""}`),
  );

  const answer = provider.callback();
  issuerSocket.use((request, response) => {
    asked.push(lineOf(request));
    if (!request.url?.startsWith("/interaction/")) void answer(request, response);
    else
      void decide(provider, { request, response, yes: says.yes, mcpUrl }).catch(() => {
        response.writeHead(500).end();
      });
  });

  const handler = createMcpHandler(createTestServer);
  t.after(() => handler.close());
  const mcp = toNodeHandler(handler);
  mcpSocket.use((request, response) => {
    asked.push(lineOf(request));
    const metadata = `${mcpSocket.origin}/.well-known/oauth-protected-resource/mcp`;
    if (request.method === "GET" && request.url === new URL(metadata).pathname) {
      const scopes_supported = [SCOPES[0]];
      sendJson(response, { resource: mcpUrl, authorization_servers: [issuer], scopes_supported });
      return;
    }
    const { authorization } = request.headers;
    authorizations.push(authorization);
    void (async () => {
      const token = await findToken(provider, authorization, mcpUrl);
      const scopes = token?.scope?.split(" ") ?? [];
      if (token !== undefined && scopes.includes(says.scope)) {
        // The package's own type forbids the explicit undefined that Node's declares.
        return mcp(request as Parameters<typeof mcp>[0], response);
      }
      const error = token === undefined ? "" : `error="insufficient_scope", scope="${says.scope}", `;
      const challenge = `Bearer ${error}resource_metadata="${metadata}"`;
      response.writeHead(token === undefined ? 401 : 403, { "www-authenticate": challenge }).end();
      return undefined;
    })();
  });

  return {
    issuer,
    mcpUrl,
    tokenRequests,
    asked,
    authorizations,
    isLive: async (accessToken) => (await provider.AccessToken.find(accessToken)) !== undefined,
    forget: async (accessToken) => {
      await (await provider.AccessToken.find(accessToken))?.destroy();
    },
    purge: (clientId) => new Memory("Client").destroy(clientId),
    demandScope: (scope) => {
      says.scope = scope;
    },
    sayNo: () => {
      says.yes = false;
    },
    stopIssuer: issuerSocket.close,
  };
}

interface Owned {
  readonly clientId: string;
}

function createProvider(
  issuer: string,
  mcpUrl: string,
  options: OidcWorldOptions & { readonly memory: ReturnType<typeof createOidcMemory> },
): Provider {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { accessTokenSeconds = 600 } = options;
  return new Provider(issuer, {
    adapter: options.memory,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    scopes: ["openid", "offline_access"],
    clientAuthMethods: ["none", "client_secret_basic"],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    pkce: { required: () => true },
    rotateRefreshToken: options.rotation ?? true,
    issueRefreshToken: async () => true,
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: 3_600,
      Interaction: 600,
      RefreshToken: 3_600,
      Session: 3_600,
    },
    renderError: (context: { body?: unknown }, { error }: { readonly error: string }) => {
      context.body = error;
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context: unknown, client: Owned, token: Owned) =>
          client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context: unknown, resource: string) => {
          if (resource !== mcpUrl) throw Object.assign(new Error("invalid_target"), { status: 400 });
          return {
            audience: mcpUrl,
            scope: SCOPES.join(" "),
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: "opaque",
          };
        },
      },
    },
  });
}

/** What the one person does with a page: signs in, then consents to everything that was asked for. */
async function decide(
  provider: Provider,
  page: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly yes: boolean;
    readonly mcpUrl: string;
  },
): Promise<void> {
  const { request, response } = page;
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (!page.yes) {
    return provider.interactionFinished(request, response, { error: "access_denied" });
  }
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: ACCOUNT } });
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? ACCOUNT,
    clientId: params["client_id"] ?? "",
  });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(page.mcpUrl, params["scope"] ?? "");
  const grantId = await grant.save();
  return provider.interactionFinished(request, response, { consent: { grantId } });
}

async function findToken(provider: Provider, authorization: string | undefined, audience: string) {
  const [, value] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? [];
  const token = value === undefined ? undefined : await provider.AccessToken.find(value);
  return token?.aud === audience ? token : undefined;
}

function grantOf({
  oidc,
}: {
  readonly oidc?: { readonly params?: Readonly<Record<string, unknown>> };
}): string {
  return String(oidc?.params?.["grant_type"]);
}

function lineOf({ method = "", url = "" }: IncomingMessage): string {
  return `${method} ${url.replace(/\?.*$/, "")}`;
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A free loopback port whose listener is set later: both servers have to know the other's URL. */
async function listen(t: TestContext): Promise<{
  readonly origin: string;
  readonly use: (listener: RequestListener) => void;
  readonly close: () => Promise<void>;
}> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  t.after(close);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (listener) => void server.on("request", listener),
    close,
  };
}
