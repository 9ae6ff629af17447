import type { Container } from "../domain/definition/container.ts";
import type { DefinitionSource } from "../domain/definition/definition.ts";
import type { ConfigFormat, KnownFolders } from "../domain/definition/foreign/format.ts";

export interface ConfigPlace {
  readonly source: DefinitionSource;
  /** Absolute path; also the origin of what is in it. */
  readonly path: string;
  /** Whose format it is in (D1c). Default: by the path, as that host looks for its own file; else ours. */
  readonly format?: ConfigFormat;
  /** What its placeholders may name. Default: they stay placeholders. */
  readonly folders?: KnownFolders;
  /** Comments and trailing commas are accepted, with a warning. Default: by the file's ending and format. */
  readonly dialect?: "json" | "jsonc";
  /** A missing file is an empty source unless the person named it. Default true. */
  readonly optional?: boolean;
}

/** For reading configuration documents. Every place fails by itself; none throws. */
export interface ConfigSource {
  /** One container a place, in the order given; an absent optional place is left out. */
  read(
    places: readonly ConfigPlace[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Container[]>;
}
