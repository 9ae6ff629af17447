/** What a call, a prompt or a resource brought back, part by part (K6). Values are the server's, untrusted. */

import type { SchemaMismatch } from "./refusal.ts";

interface CleanedText {
  /** Without control, bidirectional, invisible and tag characters (K9); fit for a person and a model. */
  readonly text: string;
  /** Exactly what the server sent; only where that is another text. For data, never to be shown. */
  readonly raw?: string;
}

/** A resource that came with the answer. Its URI is never fetched. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** Either text, or base64 that has been checked to be such. */
  readonly body:
    | ({ readonly kind: "text" } & CleanedText)
    | { readonly kind: "blob"; readonly base64: string; readonly bytes: number };
}

export type MalformedReason =
  | "not-an-object"
  | "type-missing"
  | "text-missing"
  | "data-missing"
  | "data-not-base64"
  | "mime-type-missing"
  | "uri-missing"
  | "resource-missing"
  | "body-missing";

interface Media {
  readonly mimeType: string;
  /** Checked base64, not decoded. */
  readonly base64: string;
  /** What it decodes to. */
  readonly bytes: number;
}

export type ContentPart =
  | ({ readonly type: "text" } & CleanedText)
  | ({ readonly type: "image" } & Media)
  | ({ readonly type: "audio" } & Media)
  | {
      readonly type: "resource-link";
      readonly uri: string;
      /** Name, title and description: cleaned, at most 8,192 characters each (K9). */
      readonly name: string | undefined;
      readonly title: string | undefined;
      readonly description: string | undefined;
      readonly mimeType: string | undefined;
    }
  | { readonly type: "embedded-resource"; readonly resource: ResourceContents }
  /** Always the last part; the same value as the result's `structured`. */
  | { readonly type: "structured"; readonly value: unknown }
  /** A kind of block that this version does not know, as it came. */
  | { readonly type: "unknown"; readonly sourceType: string; readonly value: unknown }
  /** A diagnostic in the place of a block that is not what its type says. */
  | { readonly type: "malformed"; readonly reason: MalformedReason; readonly sourceType: string };

export type ResultDiagnostic =
  | "result-not-an-object"
  | "content-missing"
  | "content-not-a-list"
  | "part-malformed"
  | "error-flag-malformed"
  /** Hidden characters were taken out of a text; where it is content, `raw` has them. */
  | "text-cleaned"
  /** A title or a description of a link was cut to 8,192 characters. */
  | "text-cut"
  | "structured-missing"
  | "structured-mismatch"
  /** Above 10,000 characters (K7). */
  | "result-large"
  /** Above what the tool may hand over: see {@link CallResult.spilled}. */
  | "result-spilled";

/** Where a result that is too large to hand over is kept (K7). */
export interface SpilledResult {
  /** Opaque. Whoever holds the spill port reads the whole result back by it. */
  readonly reference: string;
  /** Of the whole envelope. */
  readonly chars: number;
}

/** The result of a tool call. `diagnostics` marks what is not as it should be; content is never thrown away. */
export interface CallResult {
  /** The tool itself failed; its parts say how. Anything but `false` or nothing counts as a failure. */
  readonly isError: boolean;
  readonly parts: readonly ContentPart[];
  /** `structuredContent`: any JSON value, `null` included. `undefined`: the server sent none. */
  readonly structured: { readonly value: unknown } | undefined;
  readonly diagnostics: readonly ResultDiagnostic[];
  /**
   * Present: the result was too large, all of it is kept under this reference, and `parts` hold one text, its
   * beginning. `structured` is then `undefined`; `isError`, `diagnostics` and `mismatches` are the whole result's.
   */
  readonly spilled?: SpilledResult;
  /** Where `structured` does not fit the tool's output schema (K8). */
  readonly mismatches: readonly SchemaMismatch[];
}
