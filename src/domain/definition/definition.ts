import type { ForeignForm } from "./foreign-placeholder.ts";
import type { ConfigFormat } from "./foreign/format.ts";
import type { TranslatedForm } from "./foreign/placeholders.ts";

/**
 * What the host knows about one MCP server before anything connects.
 *
 * The values a definition was materialised from (command line, URL, header and environment values) may
 * hold secrets, so they are kept beside the definition, not in it: printing, spreading or serialising one shows none of
 * them. `materialOf` is the one way in, used by admission and projection only.
 */

export const DEFINITION_SOURCES = ["managed", "local", "project", "user", "plugin"] as const;
/** Where a definition came from; earlier in {@link DEFINITION_SOURCES} is stronger. */
export type DefinitionSource = (typeof DEFINITION_SOURCES)[number];

/** `sse` and `ws` decode so that they can be listed; admission refuses them by name. */
export type TransportKind = "stdio" | "http" | "sse" | "ws";

/** The part `[start, end)` of a materialised text that `variable` (or its default) produced. UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** `undefined`: literal text that is secret because it stands under a credential-shaped key (D10). */
  readonly variable: string | undefined;
  readonly secret: boolean;
}

/** A template after expansion, with the record of where each part came from (D9). */
export interface MaterialisedText {
  readonly text: string;
  readonly stretches: readonly Stretch[];
}

export interface StdioMaterial {
  readonly transport: "stdio";
  readonly command: MaterialisedText;
  readonly args: readonly MaterialisedText[];
  readonly cwd: MaterialisedText | undefined;
  readonly env: ReadonlyMap<string, MaterialisedText>;
}

export interface HttpMaterial {
  readonly transport: "http" | "sse" | "ws";
  readonly url: MaterialisedText;
  readonly headers: ReadonlyMap<string, MaterialisedText>;
  /** Kept and fingerprinted, never used (D5). */
  readonly env: ReadonlyMap<string, MaterialisedText>;
  readonly headersHelper: HeadersHelperSettings | undefined;
}

export type Material = StdioMaterial | HttpMaterial;

/** D6. Scopes are RFC 6749 scope tokens; URLs are https strings kept as they were written. */
export interface OauthSettings {
  readonly clientId?: string;
  readonly callbackPort?: number;
  readonly clientMetadataUrl?: string;
  readonly authServerMetadataUrl?: string;
  readonly scopes?: readonly string[];
}

/** D7: an absolute command and its exact arguments; no shell, no templates. */
export interface HeadersHelperSettings {
  readonly command: string;
  readonly args: readonly string[];
}

/** Glob lists over a server's own tool names; `deny` wins (D5). `undefined` allow means every tool. */
export interface ToolFilter {
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
}

/**
 * A variable without value and default: the literal stayed in the text at `path` (D8). A `${…}` of another
 * host's syntax is listed too, as `env:NAME` and the like, since it may not reach a child or the wire either.
 */
export interface UnsetVariable {
  readonly variable: string;
  readonly path: string;
}

/** Something a reader of the configuration should know that stops nothing. Closed set. */
export type DefinitionNote =
  | { readonly note: "ignored"; readonly keys: readonly string[] }
  | { readonly note: "transport-inferred"; readonly transport: TransportKind }
  | { readonly note: "transport-alias"; readonly alias: string }
  | { readonly note: "env-unused" }
  /** Fields of another host's format that were read as ours (D1c). */
  | { readonly note: "translated"; readonly format: ConfigFormat; readonly fields: readonly string[] }
  | { readonly note: "placeholder-translated"; readonly form: TranslatedForm }
  /** A timeout of less than a second or more than an hour: the unit may have been another one. */
  | { readonly note: "timeout-implausible"; readonly timeoutMs: number }
  | { readonly note: "foreign-placeholder"; readonly path: string; readonly form: ForeignForm };

export interface ServerDefinitionParts {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly origin: string;
  readonly transport: TransportKind;
  /** 64 hex digits over everything that changes what is started or contacted (D14). */
  readonly fingerprint: string;
  /** The same digest over name, source and origin (D14). */
  readonly securityIdentity: string;
  /** Per-call timeout in milliseconds, 1–86,400,000; absent means the host's default. */
  readonly timeoutMs?: number;
  readonly protocolVersion?: "2026-07-28";
  readonly skills: boolean;
  readonly disabled: boolean;
  readonly tools: ToolFilter;
  readonly oauth?: OauthSettings;
  /** Whether the definition names a headers helper; its command is part of the material. */
  readonly hasHeadersHelper: boolean;
  readonly notes: readonly DefinitionNote[];
  readonly unsetVariables: readonly UnsetVariable[];
}

declare const DEFINITION: unique symbol;

/** One decoded server. Every field is printable; only {@link createDefinition} makes one. */
export interface ServerDefinition extends ServerDefinitionParts {
  readonly [DEFINITION]: true;
}

/** Keeps the material where no printing, spreading or serialising reaches it. */
class Definition {
  readonly #material: Material;

  constructor(parts: ServerDefinitionParts, material: Material) {
    Object.assign(this, parts);
    this.#material = material;
    Object.freeze(this);
  }

  static materialOf(definition: object): Material {
    if (!(#material in definition)) throw new TypeError("not a definition made by Sallyport");
    return definition.#material;
  }
}

export function createDefinition(parts: ServerDefinitionParts, material: Material): ServerDefinition {
  // The brand exists in types only: whatever this class made carries it.
  return new Definition(parts, material) as unknown as ServerDefinition;
}

/** The materialised values, secrets included. Only for admission, projection and fingerprinting. */
export function materialOf(definition: ServerDefinition): Material {
  return Definition.materialOf(definition);
}
