import type { DefinitionSource, ServerDefinition } from "../definition/definition.ts";
import type { ActivationSubject, StalePart, Workspace, WorkspaceBinding } from "./approval.ts";

const UNBOUND: ReadonlySet<DefinitionSource> = new Set(["managed", "user"]);

/**
 * Tells whether definitions of this source are bound to a workspace (A2): all but `managed` and `user` are. The same
 * sources need that workspace to be trusted (A3): what is bound to a workspace cannot be approved inside
 * an untrusted one (A4).
 */
export function isWorkspaceBound(source: DefinitionSource): boolean {
  return !UNBOUND.has(source);
}

/**
 * Says what an approval of this definition would be about (A2). A bound definition that is looked at outside
 * any workspace gets no binding, and so can match no approval.
 */
export function activationSubject(
  definition: ServerDefinition,
  workspace: Workspace | undefined,
): ActivationSubject {
  const subject: ActivationSubject = {
    serverId: definition.name,
    source: definition.source,
    provenance: {
      kind: definition.source,
      origin: definition.origin,
      fingerprint: definition.fingerprint,
    },
    securityIdentity: definition.securityIdentity,
  };
  if (!isWorkspaceBound(definition.source) || workspace === undefined) return subject;
  return { ...subject, workspace: bindingOf(workspace) };
}

/** The binding alone, without what is only true at this moment. */
export function bindingOf(workspace: WorkspaceBinding): WorkspaceBinding {
  return { repositoryIdentity: workspace.repositoryIdentity, generation: workspace.generation };
}

/** Lists, in a fixed order, the parts in which a recorded subject is not the subject of now. None: equal (A2). */
export function differingParts(recorded: ActivationSubject, now: ActivationSubject): readonly StalePart[] {
  const parts: StalePart[] = [];
  if (recorded.source !== now.source || recorded.provenance.kind !== now.provenance.kind) {
    parts.push("source");
  }
  if (recorded.provenance.origin !== now.provenance.origin) parts.push("origin");
  if (recorded.provenance.fingerprint !== now.provenance.fingerprint) parts.push("fingerprint");
  if (recorded.securityIdentity !== now.securityIdentity) parts.push("security-identity");
  parts.push(...differingBinding(recorded.workspace, now.workspace, isWorkspaceBound(now.source)));
  return parts;
}

/**
 * Compares two bindings. Where the source is bound, both have to be there; where it is not, neither may be:
 * a record of a `user` server that carries a workspace was not written by Sallyport.
 */
export function differingBinding(
  recorded: WorkspaceBinding | undefined,
  now: WorkspaceBinding | undefined,
  bound: boolean,
): readonly ("repository" | "generation")[] {
  if (!bound) return recorded === undefined && now === undefined ? [] : ["repository"];
  if (recorded === undefined || now === undefined) return ["repository"];
  const parts: ("repository" | "generation")[] = [];
  if (recorded.repositoryIdentity !== now.repositoryIdentity) parts.push("repository");
  if (recorded.generation !== now.generation) parts.push("generation");
  return parts;
}
