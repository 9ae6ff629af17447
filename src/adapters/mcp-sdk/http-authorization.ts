import { checkHeaders, type HeaderPair } from "../../domain/http/headers.ts";
import type { AuthRefusal } from "../../domain/oauth/refusal.ts";
import { stepUpRefusal } from "../../domain/oauth/step-up.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Authenticator, Authorization, Rejection } from "../../ports/authenticator.ts";
import type { EgressRequest, EgressResponse } from "../../ports/egress.ts";
import { CarrierError } from "./carrier.ts";
import type { HttpAuthentication } from "./http-authentication.ts";
import { abortOf, exchange, sessionError, type HttpLink } from "./http-link.ts";

type CarrierRequest = Omit<EgressRequest, "responseLimitBytes">;

/**
 * One exchange with the authorization of its server, where there is an authenticator (U1). Nothing is sent when
 * it refuses. A 401 or 403 is dropped unread and answered by at most one more attempt, with fresh authorization
 * and only if the authenticator says so (U2). Rejects with a {@link CarrierError} only.
 */
export function authorizedExchange(
  link: HttpLink,
  request: CarrierRequest,
  signal: AbortSignal,
): Promise<EgressResponse> {
  return isAuthorized(link) ? exchangeAuthorized(link, request, signal) : exchange(link, request, signal);
}

type AuthorizedLink = HttpLink & {
  readonly authentication: HttpAuthentication & { readonly authenticator: Authenticator };
};

function isAuthorized(link: HttpLink): link is AuthorizedLink {
  return link.authentication.authenticator !== undefined;
}

async function exchangeAuthorized(
  link: AuthorizedLink,
  request: CarrierRequest,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const { authentication } = link;
  const first = await authorizeIfNeeded(link, signal);
  if (first.refusal !== undefined) return exchangeWithout(link, { request, ...first }, signal);
  const response = await exchange(link, authorized(link, request, first.authorization), signal);
  if (!isRefused(response)) return response;
  response.discard();

  const rejection = rejectionOf(link, response, first.authorization);
  await answered(link, () => authentication.authenticator.onRejected(rejection, { signal }), signal);
  const second = await authorize(link, signal);
  const again = await exchange(link, authorized(link, request, second), signal);
  if (!isRefused(again)) return again;
  again.discard();
  const refusal = await refusedTwice(link, rejectionOf(link, again, second), signal);
  throw new CarrierError({ refusal });
}

function rejectionOf(
  { authentication }: AuthorizedLink,
  refused: RefusedResponse,
  { generation }: Authorization,
): Rejection {
  // Not the newest challenge: another call may have been refused meanwhile, for another reason.
  return { status: refused.status, challenge: authentication.read(refused), generation };
}

/** The first contact with a server that may not ask for anything. Once it has asked, that is the end of it. */
async function exchangeWithout(
  link: AuthorizedLink,
  { request, refusal }: { readonly request: CarrierRequest; readonly refusal: AuthRefusal },
  signal: AbortSignal,
): Promise<EgressResponse> {
  const response = await exchange(link, request, signal);
  if (!isRefused(response) || !link.authentication.asked) return response;
  response.discard();
  const { scopes = [] } = link.authentication.read(response) ?? {};
  const wanted = scopes.length > 0 && { scopes };
  throw new CarrierError({ refusal: { ...refusal, status: response.status, ...wanted } });
}

type RefusedResponse = EgressResponse & { readonly status: 401 | 403 };

function isRefused(response: EgressResponse): response is RefusedResponse {
  return response.status === 401 || response.status === 403;
}

function authorize(link: AuthorizedLink, signal: AbortSignal): Promise<Authorization> {
  return answered(link, () => link.authentication.authenticator.authorize({ signal }), signal);
}

type Permission =
  | { readonly authorization: Authorization; readonly refusal?: undefined }
  | { readonly refusal: AuthRefusal };

/**
 * Asks for the authorization of one request. Answers the refusal where the request may go without: the
 * definition asks for no sign-in, nobody has signed in, and the server has not asked yet.
 */
async function authorizeIfNeeded(link: AuthorizedLink, signal: AbortSignal): Promise<Permission> {
  const { required, asked } = link.authentication;
  try {
    return { authorization: await authorize(link, signal) };
  } catch (error) {
    const refusal = error instanceof CarrierError ? error.failure.refusal : undefined;
    if (required || asked || refusal?.kind !== "auth" || refusal.reason !== "sign-in-required") throw error;
    return { refusal };
  }
}

/** What an authenticator says, as this folder says it. One that throws is refused like one that says no. */
async function answered<Value>(
  link: HttpLink,
  ask: () => Promise<Outcome<Value, AuthRefusal>>,
  signal: AbortSignal,
): Promise<Value> {
  let outcome;
  try {
    outcome = await ask();
  } catch {
    throw abortOf(signal) ?? sessionError(link, "auth-required", { stage: "connect" });
  }
  const aborted = abortOf(signal);
  if (aborted !== undefined) throw aborted;
  if (!outcome.ok) throw new CarrierError({ refusal: outcome.refusal });
  return outcome.value;
}

/** The request with its authorization, which beats headers of equal name (U1) and none of the protocol (H2). */
function authorized(
  link: AuthorizedLink,
  request: CarrierRequest,
  authorization: Authorization,
): CarrierRequest {
  const revealed = authorization.headers.map(([name, value]) => [name, value.reveal()] as const);
  const checked = checkHeaders(revealed);
  if (!checked.ok) {
    const { serverId } = link;
    throw new CarrierError({ refusal: { kind: "auth", reason: "helper-header-refused", serverId } });
  }
  link.authentication.remember(authorization.generation, checked.value);
  return { ...request, headers: merge(request.headers, checked.value) };
}

function merge(headers: readonly HeaderPair[], stronger: readonly HeaderPair[]): readonly HeaderPair[] {
  const names = new Set(stronger.map(([name]) => name));
  return [...stronger, ...headers.filter(([name]) => !names.has(name))];
}

/**
 * What a second refusal comes to; nothing is tried again. Fresh authorization may have been good and too narrow:
 * then the authenticator says which scopes are missing (U8).
 */
async function refusedTwice(
  link: AuthorizedLink,
  rejection: Rejection,
  signal: AbortSignal,
): Promise<AuthRefusal> {
  const { serverId, authentication } = link;
  const stepUp = stepUpRefusal(rejection, serverId);
  if (stepUp === undefined) return { kind: "auth", reason: "rejected", serverId, status: rejection.status };
  await answered(link, () => authentication.authenticator.onRejected(rejection, { signal }), signal);
  return stepUp;
}
