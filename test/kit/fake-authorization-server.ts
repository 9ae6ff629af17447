import { sha256 } from "@noble/hashes/sha2.js";

import {
  decodeRegistrationAnswer,
  type RegistrationAnswer,
  type RegistrationRequest,
} from "../../src/domain/oauth/registration-answer.ts";
import {
  decodeTokenAnswer,
  type OauthError,
  type TokenAnswer,
} from "../../src/domain/oauth/token-response.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import type {
  AuthorizationServer,
  AuthorizationServerFailure,
  ClientCredentialsGrant,
  CodeGrant,
  GrantContext,
  RefreshGrant,
  RevocationRequest,
} from "../../src/ports/authorization-server.ts";

export type Operation = "challenge" | "document" | "register" | "code" | "refresh" | "client" | "revoke";

/** One request, in words that a test compares. Secrets are readable here: it is the other side. */
export interface Asked {
  readonly operation: Operation;
  readonly url: string;
  readonly clientId?: string;
  readonly resource?: string | undefined;
  readonly token?: string;
  readonly scopes?: readonly string[];
}

type Result<Value> = Promise<Outcome<Value, AuthorizationServerFailure>>;
export type Failure = Omit<AuthorizationServerFailure, "kind">;

interface Code {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string | undefined;
}

/**
 * An authorization server in memory, with rotation and reuse detection: a refresh token that comes twice ends
 * its family. Everything it is asked is in `asked`, in order.
 */
export class FakeAuthorizationServer implements AuthorizationServer {
  readonly asked: Asked[] = [];
  /** Documents by URL; what is not here is absent. */
  readonly documents: Map<string, unknown> = new Map();
  /** `WWW-Authenticate` values of the MCP server's 401. */
  challenges: readonly string[] = [];
  /** What an operation fails with from now on. */
  readonly failing: Map<Operation, Failure> = new Map();
  /** Runs before every answer; throwing is the crash of the one who asked. */
  before: (operation: Operation) => Promise<void> = async () => {};
  /** Runs after an answer was made: its effects stand, and the one who asked may crash before it is told. */
  after: (operation: Operation) => Promise<void> = async () => {};
  /** Members that replace those of the usual token answer; `undefined` leaves one out. */
  tokenAnswer: Readonly<Record<string, unknown>> = {};
  /** Members that replace those of the usual registration answer. */
  registrationAnswer: Readonly<Record<string, unknown>> = {};
  rotates = true;
  /** Clients that the server has forgotten. */
  readonly forgotten: Set<string> = new Set();
  readonly #codes = new Map<string, Code>();
  readonly #live = new Set<string>();
  readonly #spent = new Set<string>();
  #count = 0;

  /** What was asked, without the questions about documents. */
  get requests(): readonly Asked[] {
    return this.asked.filter(({ operation }) => operation !== "document" && operation !== "challenge");
  }

  count(operation: Operation): number {
    return this.asked.filter((one) => one.operation === operation).length;
  }

  /** Whether a refresh token would be taken. */
  isLive(refreshToken: string | undefined): boolean {
    return refreshToken !== undefined && this.#live.has(refreshToken);
  }

  /** Gives out a refresh token, as an earlier sign-in did. */
  issue(refreshToken: string): string {
    this.#live.add(refreshToken);
    return refreshToken;
  }

  /** The person says yes: answers the URL that the browser is sent to. */
  approve(authorizationUrl: string, more: Readonly<Record<string, string>> = {}): string {
    const asked = new URL(authorizationUrl).searchParams;
    const redirectUri = asked.get("redirect_uri") ?? "";
    const code = `code-${(this.#count += 1)}`;
    this.#codes.set(code, {
      clientId: asked.get("client_id") ?? "",
      redirectUri,
      challenge: asked.get("code_challenge") ?? "",
      resource: asked.get("resource") ?? undefined,
    });
    const answer = new URLSearchParams({ code, state: asked.get("state") ?? "", ...more });
    return `${redirectUri}?${answer}`;
  }

  fetchChallenge(url: string, { signal }: { readonly signal: AbortSignal }): Result<readonly string[]> {
    return this.#answer({ operation: "challenge", url }, signal, () => accept(this.challenges));
  }

  fetchDocument(url: string, { signal }: { readonly signal: AbortSignal }): Result<unknown> {
    return this.#answer({ operation: "document", url }, signal, () =>
      this.documents.has(url) ? accept(this.documents.get(url)) : failure({ reason: "absent", status: 404 }),
    );
  }

  register(
    { registrationEndpoint: url, metadata }: RegistrationRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Result<RegistrationAnswer> {
    return this.#answer({ operation: "register", url }, signal, () => {
      const clientId = `dynamic-${(this.#count += 1)}`;
      const decoded = decodeRegistrationAnswer({
        ...metadata,
        client_id: clientId,
        ...this.registrationAnswer,
      });
      return decoded.ok ? decoded : failure({ reason: "invalid", ...fieldOf(decoded.refusal) });
    });
  }

  exchangeCode(grant: CodeGrant, { signal }: { readonly signal: AbortSignal }): Result<TokenAnswer> {
    const code = grant.code.reveal();
    return this.#answer({ operation: "code", ...seen(grant) }, signal, () => {
      const given = this.#codes.get(code);
      this.#codes.delete(code);
      if (this.forgotten.has(grant.client.clientId)) return refused("invalid_client");
      const good =
        given !== undefined &&
        given.clientId === grant.client.clientId &&
        given.redirectUri === grant.redirectUri &&
        given.resource === grant.resource &&
        given.challenge === s256(grant.verifier.reveal());
      return good ? this.#tokens() : refused("invalid_grant");
    });
  }

  refresh(grant: RefreshGrant, { signal }: { readonly signal: AbortSignal }): Result<TokenAnswer> {
    const token = grant.refreshToken.reveal();
    return this.#answer({ operation: "refresh", ...seen(grant), token }, signal, () => {
      if (this.forgotten.has(grant.client.clientId)) return refused("invalid_client");
      if (this.#spent.has(token)) this.#live.clear();
      if (!this.#live.has(token)) return refused("invalid_grant");
      if (!this.rotates) return this.#tokens(false);
      this.#live.delete(token);
      this.#spent.add(token);
      return this.#tokens();
    });
  }

  requestClientCredentials(
    grant: ClientCredentialsGrant,
    { signal }: { readonly signal: AbortSignal },
  ): Result<TokenAnswer> {
    const asked: Asked = { operation: "client", ...seen(grant), scopes: grant.scopes };
    return this.#answer(asked, signal, () => this.#tokens(false));
  }

  revoke(request: RevocationRequest, { signal }: { readonly signal: AbortSignal }): Result<true> {
    const { revocationEndpoint: url, client, token } = request;
    const asked: Asked = {
      operation: "revoke",
      url,
      clientId: client.clientId,
      token: token.reveal(),
    };
    return this.#answer(asked, signal, () => {
      this.#live.delete(token.reveal());
      return accept(true);
    });
  }

  #tokens(withRefresh = true): Outcome<TokenAnswer, AuthorizationServerFailure> {
    const number = (this.#count += 1);
    if (withRefresh) this.#live.add(`refresh-${number}`);
    const decoded = decodeTokenAnswer({
      access_token: `access-${number}`,
      token_type: "Bearer",
      expires_in: 3_600,
      ...(withRefresh && { refresh_token: `refresh-${number}` }),
      ...this.tokenAnswer,
    });
    return decoded.ok ? decoded : failure({ reason: "invalid", ...fieldOf(decoded.refusal) });
  }

  async #answer<Value>(
    asked: Asked,
    signal: AbortSignal,
    answer: () => Outcome<Value, AuthorizationServerFailure>,
  ): Result<Value> {
    signal.throwIfAborted();
    this.asked.push(asked);
    await this.before(asked.operation);
    signal.throwIfAborted();
    const failing = this.failing.get(asked.operation);
    const made = failing === undefined ? answer() : failure(failing);
    await this.after(asked.operation);
    return made;
  }
}

function failure(what: Failure): { readonly ok: false; readonly refusal: AuthorizationServerFailure } {
  return refuse({ kind: "authorization-server", ...what });
}

function refused(error: OauthError): { readonly ok: false; readonly refusal: AuthorizationServerFailure } {
  return failure({ reason: "refused", status: error === "invalid_client" ? 401 : 400, error });
}

function fieldOf({ field }: { readonly field?: string }): { readonly field?: string } {
  return field === undefined ? {} : { field };
}

function seen({ tokenEndpoint, client, resource }: GrantContext): Omit<Asked, "operation"> {
  return { url: tokenEndpoint, clientId: client.clientId, resource };
}

/** Made another way than the code under test does. */
function s256(verifier: string): string {
  return Buffer.from(sha256(Buffer.from(verifier))).toString("base64url");
}
