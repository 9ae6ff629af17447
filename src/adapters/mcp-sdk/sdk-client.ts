import {
  Client,
  type ClientCapabilities,
  type ClientOptions,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";

import { LEGACY_REVISIONS, MODERN_REVISION } from "../../domain/session/revisions.ts";
import { SKILLS_EXTENSION } from "../../domain/skills/skill.ts";
import type { ProtocolSelection } from "../../ports/mcp-peer.ts";

/**
 * Longest wait of a Node timer. The client's own timers must not fire: the clocks of a request and of a
 * connect are kept by us, because the client's restart without growing progress and its total is no timer.
 */
export const NEVER_MS = 2_147_483_647;

/** Accepts any result, so that the client reads none with a schema of its own. */
export const ANY_RESULT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  "~standard": {
    version: 1,
    vendor: "any",
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
};

export interface DeclaredOptions {
  /** Whether skills are on; only then is their extension declared. */
  readonly skills?: boolean | undefined;
  /** Whether forms can be put (C7). What is asked is answered below the client. */
  readonly elicitation?: boolean | undefined;
}

/** All that this client can do (C6). */
export function declaredCapabilities(options: DeclaredOptions): ClientCapabilities {
  return {
    ...(options.elicitation === true && { elicitation: { form: {} } }),
    ...(options.skills === true && { extensions: { [SKILLS_EXTENSION]: {} } }),
  };
}

/**
 * Makes one official client for both eras (C1) that declares no capability which is not on (C6), answers no question by
 * itself, keeps no schema and compiles none: its validator would run a server's patterns and generated code.
 */
export function createSdkClient(
  options: DeclaredOptions & {
    readonly clientInfo: { readonly name: string; readonly version: string };
    readonly selection: ProtocolSelection;
  },
): Client {
  return new Client(options.clientInfo, {
    ...NEGOTIATION[options.selection],
    capabilities: declaredCapabilities(options),
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: {
      // `as`: the interface promises a parsed type that only the schema would know; nothing reads it.
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
}

const NEGOTIATION: Readonly<
  Record<ProtocolSelection, Pick<ClientOptions, "supportedProtocolVersions" | "versionNegotiation">>
> = {
  legacy: { supportedProtocolVersions: [...LEGACY_REVISIONS], versionNegotiation: { mode: "legacy" } },
  "2026-07-28": {
    supportedProtocolVersions: [MODERN_REVISION],
    versionNegotiation: { mode: { pin: MODERN_REVISION } },
  },
  auto: {
    supportedProtocolVersions: [MODERN_REVISION, ...LEGACY_REVISIONS],
    versionNegotiation: { mode: "auto" },
  },
};
