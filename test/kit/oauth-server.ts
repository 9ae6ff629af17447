import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** One request as the server saw it. */
export interface OauthRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The form of a POST. */
  readonly form: Readonly<Record<string, string>>;
}

export type Handler = (request: OauthRequest, response: ServerResponse) => void;

/**
 * An MCP server and its authorization server on one free loopback port: protected-resource and server metadata,
 * dynamic registration, authorization with PKCE and `iss`, rotation with reuse detection, revocation. A test
 * replaces any path's answer.
 */
export class OauthHttpServer {
  readonly requests: OauthRequest[] = [];
  /** Answers in the place of the usual one, by path without query. */
  readonly overrides: Map<string, Handler> = new Map();
  /** Members that replace those of the usual documents and answers. */
  metadata: Readonly<Record<string, unknown>> = {};
  resourceMetadata: Readonly<Record<string, unknown>> = {};
  tokenAnswer: Readonly<Record<string, unknown>> = {};
  /** Access tokens that the MCP server takes. */
  readonly accepted: Set<string> = new Set();
  readonly revoked: string[] = [];
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  readonly #live = new Set<string>();
  readonly #spent = new Set<string>();
  #count = 0;
  readonly origin: string;

  private constructor(port: number) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(t: TestContext): Promise<OauthHttpServer> {
    const listening: { server?: OauthHttpServer } = {};
    const http = createServer((message, response) => {
      response.on("error", () => undefined);
      void read(message).then((request) => listening.server?.answer(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    t.after(() => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(resolve));
    });
    // Bound to an address, never to a path.
    listening.server = new OauthHttpServer((http.address() as AddressInfo).port);
    return listening.server;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Requests to one path, without its query. */
  to(path: string): readonly OauthRequest[] {
    return this.requests.filter((request) => request.path.split("?")[0] === path);
  }

  /** The person says yes: follows the page to where the browser is sent. */
  async approve(authorizationUrl: string): Promise<string> {
    const answer = await fetch(authorizationUrl, { redirect: "manual" });
    return answer.headers.get("location") ?? "";
  }

  answer(request: OauthRequest, response: ServerResponse): void {
    this.requests.push(request);
    const path = request.path.split("?")[0] ?? "";
    const handler = this.overrides.get(path) ?? this.#usual(path);
    if (handler === undefined) sendJson(response, 404, { error: "not_found" });
    else handler(request, response);
  }

  #usual(path: string): Handler | undefined {
    const { origin } = this;
    const routes: Readonly<Record<string, Handler>> = {
      "/mcp": (request, response) => this.#mcp(request, response),
      "/.well-known/oauth-protected-resource/mcp": (_, response) =>
        sendJson(response, 200, {
          resource: this.url,
          authorization_servers: [origin],
          ...this.resourceMetadata,
        }),
      "/.well-known/oauth-authorization-server": (_, response) =>
        sendJson(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        }),
      "/register": ({ text }, response) => {
        const asked: unknown = JSON.parse(text);
        const clientId = `client-${(this.#count += 1)}`;
        sendJson(response, 201, Object.assign({}, asked, { client_id: clientId }));
      },
      "/authorize": (request, response) => this.#authorize(request, response),
      "/token": (request, response) => this.#token(request, response),
      "/revoke": ({ form }, response) => {
        this.revoked.push(form["token"] ?? "");
        response.writeHead(200).end();
      },
    };
    return routes[path];
  }

  #mcp({ headers }: OauthRequest, response: ServerResponse): void {
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (this.accepted.has(token)) return sendJson(response, 200, { jsonrpc: "2.0", id: 1, result: {} });
    const link = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${link}"` }).end("no");
  }

  #authorize({ path }: OauthRequest, response: ServerResponse): void {
    const asked = new URL(path, this.origin).searchParams;
    const redirectUri = asked.get("redirect_uri") ?? "";
    const code = `code-${(this.#count += 1)}`;
    this.#codes.set(code, { challenge: asked.get("code_challenge") ?? "", redirectUri });
    const answer = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: this.origin });
    response.writeHead(302, { location: `${redirectUri}?${answer}` }).end();
  }

  #token({ form }: OauthRequest, response: ServerResponse): void {
    if (!this.#isGranted(form)) return sendJson(response, 400, { error: "invalid_grant" });
    const number = (this.#count += 1);
    this.accepted.add(`access-${number}`);
    this.#live.add(`refresh-${number}`);
    sendJson(response, 200, {
      access_token: `access-${number}`,
      token_type: "bearer",
      expires_in: 3_600,
      refresh_token: `refresh-${number}`,
      ...this.tokenAnswer,
    });
  }

  #isGranted(form: Readonly<Record<string, string>>): boolean {
    if (form["grant_type"] === "client_credentials") return true;
    if (form["grant_type"] === "authorization_code") {
      const given = this.#codes.get(form["code"] ?? "");
      this.#codes.delete(form["code"] ?? "");
      const proof = createHash("sha256").update(form["code_verifier"] ?? "");
      return given?.challenge === proof.digest("base64url") && given.redirectUri === form["redirect_uri"];
    }
    const token = form["refresh_token"] ?? "";
    if (this.#spent.has(token)) this.#live.clear();
    if (!this.#live.delete(token)) return false;
    this.#spent.add(token);
    return true;
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function read(message: IncomingMessage): Promise<OauthRequest> {
  let text = "";
  message.setEncoding("utf8");
  for await (const chunk of message) text += String(chunk);
  return {
    method: message.method ?? "",
    path: message.url ?? "",
    headers: message.headers,
    text,
    form: Object.fromEntries(new URLSearchParams(text)),
  };
}
