import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  genericTokenEndpointRequest,
  revocationRequest,
  type AuthorizationServer as ServerParameters,
  type HttpRequestOptions,
} from "oauth4webapi";

import type { EgressPolicy } from "../../domain/egress/target.ts";
import {
  decodeRegistrationAnswer,
  type RegistrationRequest,
} from "../../domain/oauth/registration-answer.ts";
import type { AuthFault } from "../../domain/oauth/refusal.ts";
import { decodeTokenAnswer, readOauthError, type TokenAnswer } from "../../domain/oauth/token-response.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type {
  AuthorizationServer,
  AuthorizationServerFailure,
  GrantContext,
} from "../../ports/authorization-server.ts";
import type { Egress } from "../../ports/egress.ts";
import { clientProof } from "./client-proof.ts";
import { ExchangeError, translateError } from "./errors.ts";
import { admitUrl, parseJson, readAnswer, send, type Answer, type ExchangeContext } from "./exchange.ts";

export interface AuthorizationServerOptions {
  readonly egress: Egress;
  /** The same policy as the egress': every URL that a document names is admitted by it first. */
  readonly policy: EgressPolicy;
}

type Result<Value> = Promise<Outcome<Value, AuthorizationServerFailure>>;

/** A harmless question that an MCP server which wants a token answers with 401, whatever else it allows. */
const QUESTION = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/**
 * Creates the authorization server client on oauth4webapi, which makes the requests; answers are read by
 * our own strict decoders. Every byte goes through the egress, answers have 256 KiB, nothing is redirected.
 */
export function createAuthorizationServerClient(options: AuthorizationServerOptions): AuthorizationServer {
  const within = async <Value>(
    signal: AbortSignal,
    work: (context: ExchangeContext) => Result<Value>,
  ): Result<Value> => {
    signal.throwIfAborted();
    try {
      return await work({ ...options, signal });
    } catch (error) {
      signal.throwIfAborted();
      return refuse(translateError(error));
    }
  };
  return {
    fetchChallenge: (url, { signal }) => within(signal, (context) => fetchChallenge(url, context)),
    fetchDocument: (url, { signal }) => within(signal, (context) => fetchDocument(url, context)),
    register: (request, { signal }) =>
      within(signal, async (context) => {
        const url = request.registrationEndpoint;
        const answer = await exchange(context, url, async (http) => {
          const metadata = { ...request.metadata, ...mutableLists(request.metadata) };
          await dynamicClientRegistrationRequest({ issuer: url, registration_endpoint: url }, metadata, http);
        });
        return readSuccess(answer, decodeRegistrationAnswer);
      }),
    exchangeCode: (grant, { signal }) =>
      within(signal, (context) =>
        requestTokens(context, grant, "authorization_code", {
          code: grant.code.reveal(),
          code_verifier: grant.verifier.reveal(),
          redirect_uri: grant.redirectUri,
        }),
      ),
    refresh: (grant, { signal }) =>
      within(signal, (context) =>
        requestTokens(context, grant, "refresh_token", { refresh_token: grant.refreshToken.reveal() }),
      ),
    requestClientCredentials: (grant, { signal }) =>
      within(signal, (context) =>
        requestTokens(context, grant, "client_credentials", {
          ...(grant.scopes.length > 0 && { scope: grant.scopes.join(" ") }),
        }),
      ),
    revoke: ({ issuer, revocationEndpoint, client, token, hint }, { signal }) =>
      within(signal, async (context) => {
        const proof = await clientProof(client);
        const server = { issuer, revocation_endpoint: revocationEndpoint };
        const answer = await exchange(context, revocationEndpoint, async (http) => {
          await revocationRequest(server, { client_id: client.clientId }, proof, token.reveal(), {
            ...http,
            additionalParameters: { token_type_hint: hint },
          });
        });
        return answer.status === 200 ? accept(true) : refuse(refusalOf(answer));
      }),
  };
}

async function requestTokens(
  context: ExchangeContext,
  { issuer, tokenEndpoint, client, resource }: GrantContext,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Result<TokenAnswer> {
  const proof = await clientProof(client);
  const server: ServerParameters = { issuer, token_endpoint: tokenEndpoint };
  const answer = await exchange(context, tokenEndpoint, async (http) => {
    await genericTokenEndpointRequest(
      server,
      { client_id: client.clientId },
      proof,
      grantType,
      { ...parameters, ...(resource !== undefined && { resource }) },
      http,
    );
  });
  return readSuccess(answer, decodeTokenAnswer);
}

/** The library types its lists as its own to change. */
function mutableLists(metadata: RegistrationRequest["metadata"]): {
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
} {
  return {
    redirect_uris: [...metadata.redirect_uris],
    grant_types: [...metadata.grant_types],
    response_types: [...metadata.response_types],
  };
}

type HttpOptions = HttpRequestOptions<"POST", URLSearchParams> & HttpRequestOptions<"POST", string>;

/**
 * Lets the library make its one request, and takes the answer before it looks at it. Its demand for https is
 * lifted for what the policy admitted over http, which is literal loopback alone.
 */
async function exchange(
  context: ExchangeContext,
  url: string,
  request: (http: HttpOptions) => Promise<unknown>,
): Promise<Answer> {
  const target = admitUrl(url, context);
  let answer: Answer | undefined;
  const http: HttpOptions = {
    signal: context.signal,
    [allowInsecureRequests]: target.scheme === "http" && target.loopback,
    [customFetch]: async (asked, { headers, body }) => {
      const response = await send(
        asked,
        {
          method: "POST",
          headers: Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
          body: String(body),
        },
        context,
      );
      answer = await readAnswer(response);
      // What was read goes no further: the library's part was to ask.
      return new Response(null, { status: 204 });
    },
  };
  await request(http);
  if (answer === undefined) throw new ExchangeError({ kind: "authorization-server", reason: "invalid" });
  return answer;
}

function readSuccess<Value>(
  answer: Answer,
  decode: (value: unknown) => Outcome<Value, AuthFault>,
): Outcome<Value, AuthorizationServerFailure> {
  if (answer.status < 200 || answer.status > 299) return refuse(refusalOf(answer));
  const decoded = decode(parseJson(answer.text));
  if (decoded.ok) return decoded;
  const { field } = decoded.refusal;
  return refuse({ kind: "authorization-server", reason: "invalid", ...(field !== undefined && { field }) });
}

function refusalOf({ status, text }: Answer): AuthorizationServerFailure {
  const kind = "authorization-server";
  if (isPassing(status)) return { kind, reason: "unreachable", status };
  return { kind, reason: "refused", status, error: readOauthError(parseJson(text)) };
}

/** Trouble, or a wish for patience: nothing was decided. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}

async function fetchDocument(url: string, context: ExchangeContext): Result<unknown> {
  const kind = "authorization-server";
  const response = await send(url, { method: "GET", headers: [["accept", "application/json"]] }, context);
  if (response.status !== 200) {
    response.discard();
    const { status } = response;
    return refuse({ kind, reason: isPassing(status) ? "unreachable" : "absent", status });
  }
  const answer = await readAnswer(response);
  const document = parseJson(answer.text);
  // Sites that answer every path with their page have no document here; JSON that is cut or no object is one.
  if (!answer.isJson && document === undefined) return refuse({ kind, reason: "absent" });
  return typeof document === "object" && document !== null && !Array.isArray(document)
    ? accept(document)
    : refuse({ kind, reason: "invalid" });
}

async function fetchChallenge(url: string, context: ExchangeContext): Result<readonly string[]> {
  const response = await send(
    url,
    {
      method: "POST",
      headers: [
        ["accept", "application/json, text/event-stream"],
        ["content-type", "application/json"],
      ],
      body: JSON.stringify(QUESTION),
    },
    context,
  );
  const values = response.status === 401 ? response.headerValues("www-authenticate") : [];
  response.discard();
  return accept(values);
}
