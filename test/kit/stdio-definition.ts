import type { ActivationStatus, ActivationSubject } from "../../src/domain/activation/approval.ts";
import {
  type MaterialisedText,
  type ServerDefinition,
  type ServerDefinitionParts,
  createDefinition,
} from "../../src/domain/definition/definition.ts";
import type { LaunchGrant } from "../../src/domain/launch/launch-grant.ts";
import type { StdioAuthority } from "../../src/ports/stdio-authority.ts";

export function plain(text: string): MaterialisedText {
  return { text, stretches: [] };
}

/** A text that one variable produced whole. */
export function fromVariable(text: string, variable: string, secret = true): MaterialisedText {
  return { text, stretches: [{ start: 0, end: text.length, variable, secret }] };
}

export interface StdioDefinitionOptions {
  readonly command: string;
  readonly args?: readonly (string | MaterialisedText)[];
  readonly cwd?: string;
  readonly env?: ReadonlyMap<string, MaterialisedText>;
  readonly parts?: Partial<ServerDefinitionParts>;
}

/** A user definition of a stdio server, as the decoder would make it. */
export function stdioDefinition(options: StdioDefinitionOptions): ServerDefinition {
  return createDefinition(
    {
      name: "files",
      source: "user",
      origin: "/home/someone/mcp.json",
      transport: "stdio",
      fingerprint: "f".repeat(64),
      securityIdentity: "5".repeat(64),
      skills: false,
      disabled: false,
      tools: { allow: undefined, deny: [] },
      hasHeadersHelper: false,
      notes: [],
      unsetVariables: [],
      ...options.parts,
    },
    {
      transport: "stdio",
      command: plain(options.command),
      args: (options.args ?? []).map((arg) => (typeof arg === "string" ? plain(arg) : arg)),
      cwd: options.cwd === undefined ? undefined : plain(options.cwd),
      env: options.env ?? new Map(),
    },
  );
}

export function subjectFor(definition: ServerDefinition): ActivationSubject {
  const { name, source, origin, fingerprint, securityIdentity } = definition;
  return { serverId: name, source, provenance: { kind: source, origin, fingerprint }, securityIdentity };
}

export function approvedStatus(subject: ActivationSubject): ActivationStatus {
  return {
    status: "approved",
    record: { decision: "approved", authority: "user", subject, covered: [], decidedAtMs: 0 },
  };
}

/** An authority that grants one thing, and remembers what it was asked. */
export interface FakeAuthority extends StdioAuthority {
  readonly requests: Parameters<StdioAuthority["decide"]>[0][];
  currentGeneration: string;
}

/** `grant` is completed with what a careful host would give: the request's own arguments and keys. */
export function fakeAuthority(
  grant: Partial<LaunchGrant> & Pick<LaunchGrant, "root" | "executable">,
): FakeAuthority {
  const authority: FakeAuthority = {
    requests: [],
    currentGeneration: "1",
    decide: async (request) => {
      authority.requests.push(request);
      return {
        ok: true,
        value: {
          argv0: grant.executable,
          argumentVectors: [request.args],
          environment: new Map(),
          allowedEnvKeys: request.envKeys,
          allowedCodeChangingKeys: [],
          allowShell: false,
          generation: authority.currentGeneration,
          ...grant,
        },
      };
    },
    generation: async () => authority.currentGeneration,
  };
  return authority;
}
