import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

import { startGuardedServer, type GuardedServer } from "./guarded-server.ts";

export interface IssuerRequest {
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly authorization: string | undefined;
}

/** An authorization server on loopback, and the MCP server that takes its tokens. */
export interface IssuerWorld {
  readonly issuer: string;
  /** URL of the MCP server. */
  readonly url: string;
  readonly mcp: GuardedServer;
  /** Requests to the authorization server, in order. */
  readonly requests: IssuerRequest[];
  /** Every secret that was issued: tokens, codes, client secrets. */
  readonly issued: string[];
  /** Plays the browser: opens a page, consents, and answers where it is sent to. */
  browse(authorizationUrl: string): Promise<string>;
  /** What is asked for from now on. */
  readonly behaviour: Behaviour;
}

interface Behaviour {
  consent: "allow" | "deny";
  tokenStatus: number;
  /** Seconds. */
  expiresIn: number;
  revocation: boolean;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
}

/**
 * Starts both. Small and strict where our side could go wrong: PKCE, the redirect URI and the client of a code are
 * checked, a code and a refresh token work once. Real servers are met in other tests.
 */
export async function startIssuerWorld(t: TestContext): Promise<IssuerWorld> {
  const requests: IssuerRequest[] = [];
  const issued: string[] = [];
  const behaviour: Behaviour = { consent: "allow", tokenStatus: 200, expiresIn: 3_600, revocation: true };
  const codes = new Map<string, Grant>();
  const refreshable = new Set<string>();
  const valid = new Set<string>();
  const clients = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const make = (kind: string): string => {
    const value = `canary-${kind}-${issued.length}`;
    issued.push(value);
    return value;
  };
  const tokens = (scope: string, refresh: boolean): object => {
    const access = make("access");
    valid.add(`Bearer ${access}`);
    if (!refresh)
      return { access_token: access, token_type: "Bearer", expires_in: behaviour.expiresIn, scope };
    const renewal = make("refresh");
    refreshable.add(renewal);
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: behaviour.expiresIn,
      refresh_token: renewal,
      scope,
    };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", issuer);
    const body = await text(request);
    const json = request.headers["content-type"]?.includes("json") === true;
    const parameters = request.method === "GET" ? searchParams : new URLSearchParams(json ? "" : body);
    requests.push({ path: pathname, parameters, authorization: request.headers.authorization });
    const send = (status: number, value: object): void => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify(value));
    };
    switch (pathname) {
      case "/.well-known/oauth-authorization-server":
        return send(200, metadata(issuer, behaviour));
      case "/register": {
        const asked = JSON.parse(body);
        const client_id = `client-${clients.size + 1}`;
        clients.add(client_id);
        return send(201, { ...asked, client_id });
      }
      case "/authorize": {
        const redirectUri = searchParams.get("redirect_uri") ?? "";
        const target = new URL(redirectUri);
        target.searchParams.set("state", searchParams.get("state") ?? "");
        target.searchParams.set("iss", issuer);
        if (behaviour.consent === "deny") target.searchParams.set("error", "access_denied");
        else {
          const code = make("code");
          const challenge = searchParams.get("code_challenge") ?? "";
          codes.set(code, { challenge, redirectUri, scope: searchParams.get("scope") ?? "" });
          target.searchParams.set("code", code);
        }
        response.writeHead(302, { location: target.href }).end();
        return;
      }
      case "/token":
        return send(...answerToken(parameters));
      case "/revoke":
        refreshable.delete(parameters.get("token") ?? "");
        valid.delete(`Bearer ${parameters.get("token") ?? ""}`);
        return send(200, {});
      default:
        return send(404, {});
    }
  };

  const answerToken = (parameters: URLSearchParams): [number, object] => {
    if (behaviour.tokenStatus !== 200) return [behaviour.tokenStatus, { error: "server_error" }];
    switch (parameters.get("grant_type") ?? "") {
      case "authorization_code": {
        const code = parameters.get("code") ?? "";
        const grant = codes.get(code);
        codes.delete(code);
        const verifier = parameters.get("code_verifier") ?? "";
        issued.push(verifier);
        const challenge = createHash("sha256").update(verifier).digest("base64url");
        const good = grant?.challenge === challenge && grant.redirectUri === parameters.get("redirect_uri");
        return good ? [200, tokens(grant.scope, true)] : [400, { error: "invalid_grant" }];
      }
      case "refresh_token": {
        const known = refreshable.delete(parameters.get("refresh_token") ?? "");
        return known ? [200, tokens("", true)] : [400, { error: "invalid_grant" }];
      }
      case "client_credentials":
        return [200, tokens(parameters.get("scope") ?? "", false)];
      default:
        return [400, { error: "unsupported_grant_type" }];
    }
  };

  const mcp = await startGuardedServer(t, ({ url = "", headers }, response) => {
    if (url.startsWith("/.well-known/")) {
      const known = url === "/.well-known/oauth-protected-resource/mcp";
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(known ? { resource: mcp.url, authorization_servers: [issuer] } : {}));
      return false;
    }
    if (valid.has(headers.authorization ?? "")) return true;
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    return false;
  });
  return {
    issuer,
    url: mcp.url,
    mcp,
    requests,
    issued,
    behaviour,
    browse: async (authorizationUrl) => {
      const page = await fetch(authorizationUrl, { redirect: "manual" });
      return page.headers.get("location") ?? "";
    },
  };
}

function metadata(issuer: string, { revocation }: Behaviour): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    ...(revocation && { revocation_endpoint: `${issuer}/revoke` }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: true,
  };
}
