/** What a server disclosed, after admission item by item (K1–K4, K9). */

import type { ParameterHeader } from "../http/parameter-headers.ts";
import type { ShownStale } from "../freshness/stale.ts";
import type { SchemaProfile } from "./profile-rules.ts";
import type { ItemReason, ProfileReason, RejectReason, SchemaReason } from "./adapt-reason.ts";

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * Why an item is not exactly what its server said. `path` is a JSON Pointer into what was looked at: the
 * schema where a schema is narrowed, the whole item (`/inputSchema/properties/a`) in a catalog.
 */
export interface AdaptReason {
  readonly reason: SchemaReason | ProfileReason | ItemReason;
  readonly path?: string;
}

export interface CatalogTool {
  /** `<server>__<tool>`, only `A-Za-z0-9_-`, at most 64 characters (K3). */
  readonly name: string;
  readonly serverId: string;
  /** The server's own name for it; the one that goes on the wire. */
  readonly sourceName: string;
  readonly bucket: "adopted" | "adapted";
  readonly reasons: readonly AdaptReason[];
  /** Untrusted text, cleaned and at most 8,192 characters. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Narrowed, root always `type: "object"`; as one model API takes it where `profiled` says so. */
  readonly inputSchema: { readonly [keyword: string]: unknown };
  /** What calls are checked against where `inputSchema` was made for a model API (K4). Absent: `inputSchema`. */
  readonly profiled?: { readonly profile: SchemaProfile; readonly narrowed: CatalogTool["inputSchema"] };
  readonly outputSchema: JsonSchema | undefined;
  /** Untrusted hints, booleans only. */
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Characters up to which the tool asks for its results whole, in (25,000, 500,000] (K7). Absent: 25,000. */
  readonly resultSizeChars?: number;
  /**
   * Arguments that the server wants in HTTP headers as well (K5b), where calls go as Streamable HTTP of 2026-07-28. Absent: none.
   */
  readonly parameterHeaders?: readonly ParameterHeader[];
}

export interface CatalogPrompt {
  readonly name: string;
  readonly serverId: string;
  readonly sourceName: string;
  readonly bucket: "adopted" | "adapted";
  readonly reasons: readonly AdaptReason[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly required: boolean;
  }[];
}

export interface CatalogResource {
  readonly kind: "resource" | "template";
  readonly name: string;
  readonly serverId: string;
  readonly sourceName: string;
  readonly bucket: "adopted" | "adapted";
  readonly reasons: readonly AdaptReason[];
  /** URI, or URI template: opaque, never fetched by Sallyport. */
  readonly uri: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
}

export interface RejectedItem {
  readonly kind: "tool" | "prompt" | "resource" | "template";
  readonly serverId: string;
  /** The server's own name, cleaned and cut; empty when it had none. */
  readonly sourceName: string;
  readonly reason: RejectReason;
}

/** One kind of list of one server. Incomplete lists say why and keep what was admitted (K1). */
export interface ListState {
  readonly complete: boolean;
  readonly incompleteReason?: string;
  /** Present: it may not be what the server has now (V4). */
  readonly stale?: ShownStale;
  readonly pages: readonly {
    readonly ttlMs: number | undefined;
    readonly cacheScope: string | undefined;
    readonly receivedAtMs: number;
  }[];
}

export interface ServerCatalog {
  readonly serverId: string;
  readonly tools: readonly CatalogTool[];
  readonly prompts: readonly CatalogPrompt[];
  readonly resources: readonly CatalogResource[];
  readonly rejected: readonly RejectedItem[];
}

/** The catalogs of several servers as one, each map by catalog name, in the order of the names. */
export interface Catalog {
  readonly tools: ReadonlyMap<string, CatalogTool>;
  readonly prompts: ReadonlyMap<string, CatalogPrompt>;
  /** Resources and resource templates. */
  readonly resources: ReadonlyMap<string, CatalogResource>;
  readonly rejected: readonly RejectedItem[];
}
