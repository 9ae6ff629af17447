import {
  type ActivationSubject,
  type ApprovalRecord,
  type Workspace,
} from "../../src/domain/activation/approval.ts";
import { activationSubject } from "../../src/domain/activation/subject.ts";
import {
  type DefinitionSource,
  type ServerDefinition,
  createDefinition,
} from "../../src/domain/definition/definition.ts";
import { sha256Hex } from "../../src/domain/sha256.ts";

/** Digests, records and definitions for tests about activation. What is not said is plausible and fixed. */
export function digestOf(text: string): string {
  return sha256Hex(text);
}

export const TRUSTED: Workspace = {
  repositoryIdentity: digestOf("repository"),
  generation: 3,
  trusted: true,
};
export const UNTRUSTED: Workspace = { ...TRUSTED, trusted: false };
export const OTHER_WORKSPACE: Workspace = {
  repositoryIdentity: digestOf("another repository"),
  generation: 1,
  trusted: true,
};

export interface DefinitionFacts {
  readonly name?: string;
  readonly source?: DefinitionSource;
  readonly origin?: string;
  /** Stands for everything the fingerprint covers. */
  readonly content?: string;
}

export function makeDefinition(facts: DefinitionFacts = {}): ServerDefinition {
  const {
    name = "helper",
    source = "project",
    origin = "/work/repository/.mcp.json",
    content = "true",
  } = facts;
  return createDefinition(
    {
      name,
      source,
      origin,
      transport: "stdio",
      fingerprint: digestOf(content),
      securityIdentity: digestOf(JSON.stringify([name, source, origin])),
      skills: false,
      disabled: false,
      tools: { allow: undefined, deny: [] },
      hasHeadersHelper: false,
      notes: [],
      unsetVariables: [],
    },
    {
      transport: "stdio",
      command: { text: content, stretches: [] },
      args: [],
      cwd: undefined,
      env: new Map(),
    },
  );
}

export function makeSubject(
  facts: DefinitionFacts = {},
  workspace: Workspace | undefined = TRUSTED,
): ActivationSubject {
  return activationSubject(makeDefinition(facts), workspace);
}

export function makeRecord(changes: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    decision: "approved",
    authority: "user",
    subject: makeSubject(),
    covered: [{ path: "command", digest: "0123456789abcdef", shown: "true" }],
    decidedAtMs: 1_800_000_000_000,
    ...changes,
  };
}

export const NEVER: AbortSignal = new AbortController().signal;

/** The value of an outcome that has to be there. */
export function valueOf<Value>(
  outcome: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: unknown },
): Value {
  if (outcome.ok) return outcome.value;
  throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
}

/** Everything an iteration yields, in order. */
export async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
