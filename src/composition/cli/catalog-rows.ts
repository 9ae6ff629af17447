import type {
  AdaptReason,
  CatalogPrompt,
  CatalogResource,
  CatalogTool,
  ListState,
} from "../../domain/catalog/catalog.ts";
import type { ShownStale } from "../../domain/freshness/stale.ts";
import type { HostCatalog, ServerState } from "../host/host-catalog.ts";
import { EXIT_CODES, exitCodeOf } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { shownFailure } from "./report.ts";
import type { ShownError } from "./report.ts";

export type CatalogKind = "tools" | "prompts" | "resources";

/** How a server stands, for one kind of list. */
export interface ServerRow {
  readonly name: string;
  /** `incomplete`: its list could not be read to the end; what came before is there. */
  readonly state: "connected" | "incomplete" | "refused" | "failed";
  readonly era?: "legacy" | "modern";
  /** Present: the list may not be what the server has now (V4). */
  readonly stale?: ShownStale;
  /** Present: the server cannot say any more that a list changed (H3b). */
  readonly push?: "no-push";
  readonly error?: ShownError;
}

/** What every item has, whatever its kind. */
export interface ItemRow {
  readonly name: string;
  readonly server: string;
  readonly sourceName: string;
  readonly bucket: "adopted" | "adapted";
  readonly reasons: readonly AdaptReason[];
  readonly description: string | null;
}

export interface RejectedRow {
  readonly server: string;
  /** The server's own name for it, cleaned and cut; empty when it had none. */
  readonly name: string;
  readonly reason: string;
}

const LISTS_OF: Readonly<Record<CatalogKind, readonly (keyof Connected["lists"])[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};
const ITEMS_OF: Readonly<Record<CatalogKind, readonly string[]>> = {
  tools: ["tool"],
  prompts: ["prompt"],
  resources: ["resource", "template"],
};

type Connected = Extract<ServerState, { readonly state: "connected" }>;

export function serverRow(server: ServerState, kind: CatalogKind): ServerRow {
  const { name } = server;
  if (server.state !== "connected") {
    return { name, state: server.state, error: shownFailure(server.error) };
  }
  const cut = incompleteList(server, kind);
  const { era } = server;
  const age = { ...staleness(server, kind), ...(server.push === "no-push" && { push: server.push }) };
  if (cut === undefined) return { name, state: "connected", era, ...age };
  const reason = cut.incompleteReason ?? "unknown";
  const message = `its list of ${kind} is incomplete (${reason}); what came before is kept.`;
  return { name, state: "incomplete", era, ...age, error: { kind: "list", reason, message } };
}

function incompleteList({ lists }: Connected, kind: CatalogKind): ListState | undefined {
  return LISTS_OF[kind].map((list) => lists[list]).find(({ complete }) => !complete);
}

function staleness({ lists }: Connected, kind: CatalogKind): Pick<ServerRow, "stale"> {
  const stale = LISTS_OF[kind].map((list) => lists[list].stale).find((one) => one !== undefined);
  return stale === undefined ? {} : { stale };
}

/** What one server adds to the code of the command. */
export function serverCode(server: ServerState, kind: CatalogKind): ExitCode {
  if (server.state !== "connected") return exitCodeOf(server.error.refusal);
  if (server.pinProblem !== undefined) return exitCodeOf(server.pinProblem);
  return incompleteList(server, kind) === undefined ? EXIT_CODES.done : EXIT_CODES.unreachable;
}

export function itemRows(catalog: HostCatalog, kind: CatalogKind): readonly ItemRow[] {
  switch (kind) {
    case "tools":
      return [...catalog.tools.values()].map((tool) => itemRow(tool, { inputSchema: tool.inputSchema }));
    case "prompts":
      return [...catalog.prompts.values()].map((prompt) =>
        itemRow(prompt, { arguments: argumentRows(prompt) }),
      );
    case "resources":
      break;
  }
  return [...catalog.resources.values()].map((resource) => {
    const { kind: form, uri, mimeType } = resource;
    return itemRow(resource, { kind: form, uri, mimeType: mimeType ?? null });
  });
}

function itemRow(
  item: CatalogTool | CatalogPrompt | CatalogResource,
  own: Readonly<Record<string, unknown>>,
): ItemRow {
  const { name, serverId, sourceName, bucket, reasons, description } = item;
  return { name, server: serverId, sourceName, bucket, reasons, description: description ?? null, ...own };
}

function argumentRows(prompt: CatalogPrompt): readonly Readonly<Record<string, unknown>>[] {
  return prompt.arguments.map(({ name, description, required }) => {
    return { name, description: description ?? null, required };
  });
}

export function rejectedRows(catalog: HostCatalog, kind: CatalogKind): readonly RejectedRow[] {
  return catalog.rejected
    .filter((item) => ITEMS_OF[kind].includes(item.kind))
    .map(({ serverId, sourceName, reason }) => ({ server: serverId, name: sourceName, reason }));
}
