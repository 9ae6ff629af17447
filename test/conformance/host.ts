// The two parts that an application gets through `createMcpHost` alone: nothing else composes an egress.
import { createUndiciEgress } from "../../src/adapters/http-undici/egress.ts";
import { createSystemResolver } from "../../src/adapters/node-dns/resolver.ts";
import {
  createAuthorizationServerClient,
  createOAuthAuthenticator,
  createStreamableHttpAdapter,
  openMcpSession,
  runMcpClientCredentials,
  runMcpOAuthLogin,
  type Carrier,
  type McpSession,
  type OauthPorts,
  type OauthServer,
} from "../../src/composition/client.ts";
import {
  Secret,
  type AuditEvent,
  type Outcome,
  type PeerFailure,
  type Refusal,
} from "../../src/composition/index.ts";
import {
  createFileOAuthCredentialStore,
  createFileOAuthRefreshLock,
  createSystemClock,
  createSystemRandom,
} from "../../src/composition/node.ts";
import { approveEntry } from "./approved-definition.ts";
import { createPastingPerson } from "./browser.ts";
import type { CommandInput } from "./command-input.ts";
import { RefusedError } from "./refused-error.ts";
import { recordRequests } from "./run-record.ts";

const SERVER_ID = "conformance";
/** The suite's own document; a host that brings none registers dynamically. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";
const CALLBACK_PORT = 49_152;
const REDIRECT_URI = `http://127.0.0.1:${CALLBACK_PORT}/callback`;
/** A server that forgets every sign-in is left alone after so many. */
const SIGN_INS_LIMIT = 4;

export interface ConformanceHost {
  /** Runs one operation; where the server asks for it, signs in and runs it again over a new session. */
  use<Value>(operation: Operation<Value>): Promise<Value>;
  /** Drops the session, as a host that starts again. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

type Operation<Value> = (session: McpSession) => Promise<Outcome<Value, { readonly refusal: Refusal }>>;

interface Connection {
  readonly carrier: Carrier;
  readonly session: McpSession;
}

/** Composes what an application composes: definition, approval, egress, stores, authenticator, session. */
export function createConformanceHost(
  input: CommandInput,
  { folder, requests }: { readonly folder: string; readonly requests: string[] },
): ConformanceHost {
  const clock = createSystemClock();
  const policy = { allowDestinations: [] };
  const resolver = createSystemResolver();
  const egress = recordRequests(createUndiciEgress({ resolver, policy, clock }), requests);
  const { definition, status } = approveEntry(SERVER_ID, entryOf(input));
  const { securityIdentity, oauth: settings = {} } = definition;
  const server: OauthServer = {
    serverId: SERVER_ID,
    securityIdentity,
    url: input.url,
    settings,
    clientMetadataUrl: CLIENT_METADATA_URL,
  };
  const ports: OauthPorts = {
    authorizationServer: createAuthorizationServerClient({ egress, policy }),
    store: createFileOAuthCredentialStore({ folder, clock }),
    lock: createFileOAuthRefreshLock({ folder, clock }),
    clock,
    random: createSystemRandom(),
    audit: { append: async (event: AuditEvent) => note(`audit ${JSON.stringify(event)}`) },
  };
  const authenticator = createOAuthAuthenticator({ server, ports });
  const adapter = createStreamableHttpAdapter({
    egress,
    policy,
    clock,
    authenticatorFor: () => authenticator,
  });

  let connection: Connection | undefined;
  let signIns = 0;

  const connect = async (): Promise<Outcome<Connection, PeerFailure> & { readonly carrier: Carrier }> => {
    const admission = adapter.admit(definition, status);
    if (!admission.ok) throw new RefusedError(admission.refusal);
    const carrier = adapter.construct(admission.value);
    const opened = await openMcpSession({
      carrier,
      serverId: SERVER_ID,
      clock,
      random: ports.random,
      ...(input.era !== "legacy" && { protocolVersion: input.era }),
      skills: definition.skills,
      elicitation: true,
    });
    return opened.ok
      ? { ok: true, value: { carrier, session: opened.value }, carrier }
      : { ...opened, carrier };
  };

  const disconnect = async (): Promise<void> => {
    const { session } = connection ?? {};
    connection = undefined;
    await session?.close();
  };

  const signIn = async (refusal: Refusal, carrier: Carrier): Promise<void> => {
    const wanted = refusal.kind === "auth" && isPersonsMatter(refusal.reason);
    if (!wanted || (signIns += 1) > SIGN_INS_LIMIT) throw new RefusedError(refusal);
    note(`sign-in for ${refusal.reason}`);
    const { challenge } = carrier;
    const signal = new AbortController().signal;
    const client = clientOf(input);
    const stepUpScopes = refusal.reason === "step-up-required" ? (refusal.scopes ?? []) : [];
    const signedIn = isUnattended(input)
      ? await runMcpClientCredentials({ server, ports, challenge, signal, client: needed(client) })
      : await runMcpOAuthLogin({
          server,
          ports,
          challenge,
          signal,
          client,
          stepUpScopes,
          ...createPastingPerson(REDIRECT_URI),
        });
    if (!signedIn.ok) throw new RefusedError(signedIn.refusal);
    await disconnect();
  };

  const use = async <Value>(operation: Operation<Value>): Promise<Value> => {
    for (;;) {
      if (connection === undefined) {
        const connected = await connect();
        if (!connected.ok) {
          await signIn(connected.refusal.refusal, connected.carrier);
          continue;
        }
        connection = connected.value;
      }
      const { session, carrier } = connection;
      const done = await operation(session);
      if (done.ok) return done.value;
      await signIn(done.refusal.refusal, carrier);
    }
  };

  return {
    use,
    disconnect,
    close: async () => {
      await disconnect();
      await egress.close();
    },
  };
}

function entryOf({ url, context, scenario }: CommandInput): unknown {
  return {
    type: "http",
    url,
    ...(scenario.startsWith("sep-2640-") && { protocolVersion: "2026-07-28", skills: true }),
    ...(context.client_id !== undefined && {
      oauth: { clientId: context.client_id, callbackPort: CALLBACK_PORT },
    }),
  };
}

function clientOf({ context }: CommandInput) {
  const { client_id: clientId, client_secret: secret, private_key_pem: key } = context;
  if (clientId === undefined) return undefined;
  return {
    clientId,
    ...(secret !== undefined && { clientSecret: new Secret(secret) }),
    ...(key !== undefined && { privateKey: new Secret(key) }),
  };
}

function isUnattended({ scenario }: CommandInput): boolean {
  return scenario.startsWith("auth/client-credentials-");
}

function isPersonsMatter(reason: string): boolean {
  return reason === "sign-in-required" || reason === "step-up-required";
}

function needed<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the suite gave no client");
  return value;
}

/** For the suite's log of this run. Nothing in it is a secret. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
