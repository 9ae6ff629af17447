import { refreshLimits } from "../../domain/freshness/limits.ts";
import type { CatalogChange } from "./catalog-reader.ts";
import { checkTimeouts } from "./check-timeouts.ts";
import type { ConnectionChange, LiveConnections } from "./connections.ts";
import { createDecidingPart } from "./deciding-part.ts";
import { hostSettings, quietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { PinPolicy } from "../../domain/activation/pins.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpHost } from "./mcp-host.ts";
import { McpHostError } from "./mcp-host-error.ts";
import { createResultPart } from "./result-part.ts";
import { createNetwork } from "./network.ts";
import type { SignInParts } from "./sign-in-parts.ts";
import type { SigningPart } from "./signing-part.ts";
import { holdState } from "./state-holder.ts";
import type { WorkingPart } from "./working-part.ts";

/** V7. */
const CONCURRENCY = 8;

/**
 * Composes everything for an application: reads the configuration, resolves it, matches approvals, and
 * connects what is approved when it is first used. Starting one contacts nobody and starts nothing.
 *
 * @throws McpHostError when there is no safe home folder, no such workspace, a store that cannot be trusted, or settings
 * that cannot be used.
 */
export async function createMcpHost(options: McpHostOptions = {}): Promise<McpHost> {
  try {
    return await composeHost(options);
  } catch (error) {
    if (!(error instanceof McpHostError)) throw error;
    // The sentences load with the first of them: who lists servers needs none.
    const { describeRefusal } = await import("../../domain/refusal-text.ts");
    throw new McpHostError(error.refusal, describeRefusal(error.refusal));
  }
}

async function composeHost(options: McpHostOptions): Promise<McpHost> {
  const refreshing = refreshLimits(options.lists ?? {});
  checkTimeouts(options.timeouts);
  const settings = await hostSettings(options);
  const parts = quietParts(options, settings);
  const closing = new AbortController();
  const { signal } = closing;
  const pinPolicy = await pinPolicyOf(options.pins, { folder: settings.home, clock: parts.clock, signal });
  const holder = await holdState(parts, settings, signal);

  const network = createNetwork(options, parts);
  const changes = createListeners<CatalogChange>();
  const connectionChanges = createListeners<ConnectionChange>();
  const results = createResultPart(options, settings, parts);

  // Each part is loaded with its first use: a list needs none of them.
  const signIns = once(async (): Promise<SignInParts> => {
    const { createSignInParts } = await import("./sign-in-parts.ts");
    return createSignInParts({ options, settings, parts, network });
  });
  let working: Promise<WorkingPart> | undefined;
  let connections: LiveConnections | undefined;
  const work = (): Promise<WorkingPart> => {
    working ??= Promise.all([import("./working-part.ts"), signIns()]).then(
      ([{ createWorkingPart }, signInParts]) =>
        createWorkingPart({
          options,
          settings,
          parts,
          holder,
          pinPolicy,
          network,
          signIns: signInParts,
          spill: results.spill,
          concurrency: options.concurrency ?? CONCURRENCY,
          refreshing,
          onCatalogChanged: (change) => changes.tell(change),
          onConnectionChanged: (change) => connectionChanges.tell(change),
          signal,
        }),
    );
    working.then(
      (part) => (connections = part.connections),
      () => undefined, // told to who asked for the part
    );
    return working;
  };
  const sign = once(async (): Promise<SigningPart> => {
    const [{ createSigningPart }, signInParts] = await Promise.all([import("./signing-part.ts"), signIns()]);
    return createSigningPart({ options, parts, holder, signIns: signInParts, signal });
  });
  const closeUnapproved = async (): Promise<void> => (await working)?.connections.closeUnapproved();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      closing.abort(new DOMException("the host was closed", "AbortError"));
      await (await working)?.close();
      await network.close();
    })();
    return closed;
  };

  return {
    servers: () => holder.servers(),
    server: (name) => holder.server(name),
    get sourceProblems() {
      return holder.now.resolution.sourceProblems;
    },
    get sourceWarnings() {
      return holder.now.resolution.sourceWarnings;
    },
    get workspace() {
      return holder.now.workspace;
    },
    reload: async () => {
      await holder.reload(signal);
      await closeUnapproved();
    },
    ...createDecidingPart({ parts, settings, holder, signal, onChange: closeUnapproved }),
    connect: async (name, call) => (await work()).connect(name, call),
    catalog: async (query) => (await work()).catalog(query),
    onCatalogChanged: (listener) => changes.add(listener),
    connectionState: (name) => connections?.state(name) ?? { status: signal.aborted ? "closed" : "idle" },
    onConnectionChanged: (listener) => connectionChanges.add(listener),
    acceptTools: async (name, changes) => (await work()).acceptTools(name, changes),
    call: async (tool, args, call) => (await work()).call(tool, args, call),
    result: (reference, call) => results.read(reference, call?.signal ?? signal),
    signIn: async (name, request) => (await sign()).signIn(name, request),
    beginSignIn: async (name, choices) => (await sign()).beginSignIn(name, choices),
    completeSignIn: async (name, redirect) => (await sign()).completeSignIn(name, redirect),
    signInUnattended: async (name, request) => (await sign()).signInUnattended(name, request),
    signOut: async (name, call) => (await sign()).signOut(name, call),
    authState: async (name, call) => (await sign()).authState(name, call),
    audit: (query) => parts.audit.events({ signal: query?.signal ?? signal }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Listeners<Value> {
  /** Answers what removes it. */
  add(listener: (value: Value) => void): () => void;
  tell(value: Value): void;
}

function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<{ readonly hear: (value: Value) => void }>();
  return {
    add: (hear) => {
      const listener = { hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (value) => {
      for (const { hear } of listeners) {
        try {
          hear(value);
        } catch {
          // A listener's fault is the application's own: it must not end the reading of lists.
        }
      }
    },
  };
}

async function pinPolicyOf(
  pins: McpHostOptions["pins"],
  home: { readonly folder: string; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<PinPolicy> {
  if (pins !== "settled") return pins ?? "report";
  const { readHostSettings } = await import("../../adapters/files/host-settings.ts");
  const settled = await readHostSettings(home);
  if (!settled.ok) throw new McpHostError(settled.refusal);
  return settled.value.pins ?? "report";
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
