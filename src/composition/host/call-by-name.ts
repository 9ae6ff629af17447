import type { ToolChange } from "../../domain/activation/pins.ts";
import { buildCatalog } from "../../domain/catalog/build.ts";
import type { Catalog, CatalogTool, ServerCatalog } from "../../domain/catalog/catalog.ts";
import type { CallResult } from "../../domain/catalog/content-part.ts";
import { mayBeNamed } from "../../domain/catalog/tool-name.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import type { SchemaValidator } from "../../ports/schema-validator.ts";
import { createDiscoveredTool } from "../flows/call-tool.ts";
import type { DiscoveredTool } from "../flows/call-tool.ts";
import { orAbandon } from "../flows/abandon.ts";
import type { CallOptions, McpSession } from "../flows/mcp-session.ts";
import type { Connections, ServerFailure } from "./connections.ts";
import type { CatalogReader } from "./catalog-reader.ts";
import type { ListedSession } from "./listed-session.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { StateHolder } from "./state-holder.ts";

export type ToolCallOptions = CallOptions;

/** What a tool answered. A tool that failed is an answer too: `result.isError`. */
export interface ToolAnswer {
  readonly tool: CatalogTool;
  readonly result: CallResult;
  /** Present: the tool is not as it was pinned, which the policy `report` lets pass (A7). */
  readonly change?: ToolChange["change"];
}

export interface CallerContext {
  readonly connections: Connections;
  readonly reader: CatalogReader;
  readonly options: McpHostOptions;
  readonly holder: StateHolder;
  readonly spill: ResultSpill;
  readonly signal: AbortSignal;
}

export type Caller = (
  tool: string,
  args: unknown,
  options?: ToolCallOptions,
) => Promise<Outcome<ToolAnswer, ServerFailure>>;

/** Finds a tool by its catalog name among the servers that can carry it, and calls it once. */
export function createCaller(context: CallerContext): Caller {
  const ready = new WeakMap<CatalogTool, DiscoveredTool>();
  const join = createJoin();
  let validator: SchemaValidator | undefined = context.options.parts?.schemas;
  const { schemaProfile } = context.options;

  return async (name, args, options = {}) => {
    const signal =
      options.signal === undefined ? context.signal : AbortSignal.any([options.signal, context.signal]);
    validator ??= (await import("../../adapters/json-schema/validator.ts")).createSchemaValidator();
    const found = await findListedTool(name, { ...context, join }, signal);
    if (!found.ok) return found;
    const { tool, session, change } = found.value;
    let discovered = ready.get(tool);
    if (discovered === undefined) {
      discovered = createDiscoveredTool(tool, {
        session,
        validator,
        spill: context.spill,
        mirrorArguments: mayMirror(tool, context.options),
        ...(schemaProfile !== undefined && { schemaProfile }),
      });
      ready.set(tool, discovered);
    }
    const answer = await discovered.call(args, { ...options, signal });
    if (!answer.ok) return answer;
    return accept({ tool, result: answer.value, ...(change !== undefined && { change: change.change }) });
  };
}

function mayMirror(
  { serverId, sourceName }: CatalogTool,
  { parameterHeaders = [] }: McpHostOptions,
): boolean {
  return parameterHeaders.some(({ server, tool }) => server === serverId && tool === sourceName);
}

type Join = (servers: readonly ServerCatalog[]) => Catalog;

/** Joins the candidates of a call. A catalog never changes, and most calls have one candidate: that is sorted once. */
function createJoin(): Join {
  const alone = new WeakMap<ServerCatalog, Catalog>();
  return (servers) => {
    const [only, ...others] = servers;
    if (only === undefined || others.length > 0) return buildCatalog(servers);
    const joined = alone.get(only) ?? buildCatalog(servers);
    alone.set(only, joined);
    return joined;
  };
}

interface Found {
  readonly tool: CatalogTool;
  /** On which it was listed: the only one that its list says anything of. */
  readonly session: McpSession;
  readonly identity: SessionIdentity;
  readonly change: ToolChange | undefined;
}

interface ListedOn extends ListedSession {
  readonly session: McpSession;
}

/** A server that is gone after each of its lists is not listed for ever. */
const LISTINGS_LIMIT = 3;

/**
 * Finds a tool on a connection that is still the one it was listed on. Another one, or another session of it, was held
 * against no pins yet (A7, C5); it is listed first.
 */
async function findListedTool(
  name: string,
  context: CallerContext & { readonly join: Join },
  signal: AbortSignal,
): Promise<Outcome<Found, ServerFailure>> {
  for (let listings = 1; ; listings += 1) {
    const found = await findTool(name, context, signal);
    if (!found.ok) return found;
    const { session, identity } = found.value;
    const { serverId, ended } = session;
    if (ended === undefined && session.identity === identity) return found;
    if (listings === LISTINGS_LIMIT) {
      return refuse(
        ended ?? { refusal: { kind: "session", reason: "session-expired", serverId, stage: "call" } },
      );
    }
  }
}

/**
 * Only servers whose name the tool's can begin with are connected. When none of them has it, the first failure
 * among them is the answer, one of reading a list too, or the denial of the server that was meant: the tool may
 * well be there.
 */
async function findTool(
  name: string,
  context: CallerContext & { readonly join: Join },
  signal: AbortSignal,
): Promise<Outcome<Found, ServerFailure>> {
  const candidates = context.holder.approvedNames().filter((serverId) => mayBeNamed(name, serverId));
  const listed = await Promise.all(
    candidates.map(async (serverId) => {
      const session = await context.connections.connect(serverId, { signal });
      if (!session.ok) return session;
      const ask = { filter: context.holder.filterOf(serverId), kinds: ["tools"] } as const;
      const read = await orAbandon(context.reader.of(session.value, ask), signal);
      return accept({ ...read, session: session.value });
    }),
  );
  const catalogs = listed.flatMap((one): readonly ListedOn[] => (one.ok ? [one.value] : []));
  const tool = context.join(catalogs.map(({ catalog }) => catalog)).tools.get(name);
  const on = catalogs.find(({ session }) => session.serverId === tool?.serverId);
  if (tool !== undefined && on !== undefined) {
    return accept({ tool, session: on.session, identity: on.identity, change: changeOf(tool, catalogs) });
  }
  const hold = catalogs.map(({ held }) => held.get(name)).find((reason) => reason !== undefined);
  if (hold !== undefined) return refuse({ refusal: { kind: "call", reason: "tool-held", hold } });
  const failed = listed.find((one) => !one.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const unread = catalogs.find(({ toolsFailure }) => toolsFailure !== undefined)?.toolsFailure;
  if (unread !== undefined) return refuse(unread);
  const meant = context.holder
    .names()
    .find((serverId) => mayBeNamed(name, serverId) && !candidates.includes(serverId));
  if (meant !== undefined) {
    const denied = await context.connections.connect(meant, { signal });
    if (!denied.ok) return denied;
  }
  return refuse({ refusal: { kind: "call", reason: "unknown-tool" } });
}

function changeOf(tool: CatalogTool, catalogs: readonly ListedSession[]): ToolChange | undefined {
  return catalogs
    .flatMap(({ changes }) => changes)
    .find(({ serverId, name }) => serverId === tool.serverId && name === tool.sourceName);
}
