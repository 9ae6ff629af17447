import type { Carrier } from "../../adapters/mcp-sdk/carrier.ts";
import type { ActivationStatus, ActivationSubject } from "../../domain/activation/approval.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { materialOf } from "../../domain/definition/definition.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { ProcessRunner } from "../../ports/process-runner.ts";
import { createApprovedAuthority } from "../flows/approved-authority.ts";
import { workingFolder } from "../flows/working-folder.ts";
import { findAuthenticator } from "./authenticators.ts";
import { childEnvironment } from "./child-environment.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";
import type { Network } from "./network.ts";
import type { SignInParts } from "./sign-in-parts.ts";

/** A definition that activation approved, and how to ask again right before it is started. */
export interface ApprovedServer {
  readonly definition: ServerDefinition;
  readonly subject: ActivationSubject;
  readonly status: ActivationStatus;
  /** As the records are on disk at that moment. */
  readonly recheck: () => Promise<ActivationStatus>;
}

/** For making carriers; each technology is loaded with the first server that needs it. */
export interface Carriers {
  admit(server: ApprovedServer): Promise<Outcome<Carrier, Refusal>>;
}

export interface CarriersContext {
  readonly options: McpHostOptions;
  readonly settings: HostSettings;
  readonly parts: QuietParts;
  readonly network: Network;
  readonly signIns: SignInParts;
  readonly signal: AbortSignal;
}

export function createCarriers(context: CarriersContext): Carriers {
  const { options, settings, parts, network } = context;
  let runner: Promise<ProcessRunner> | undefined;

  const admitHttp = async (server: ApprovedServer): ReturnType<Carriers["admit"]> => {
    const { createStreamableHttpAdapter } = await import("../../adapters/mcp-sdk/streamable-http.ts");
    const { definition, status } = server;
    const authenticator = await findAuthenticator(server, context);
    if (!authenticator.ok) return authenticator;
    const adapter = createStreamableHttpAdapter({
      egress: await network.egress(),
      authenticatorFor: () => authenticator.value,
      policy: { allowDestinations: options.allowDestinations ?? [] },
      clock: parts.clock,
      traceOrigins: options.traceOrigins ?? [],
      // A tool may answer as late as its call may last; a definition's own timeout goes before the host's.
      ...(definition.timeoutMs === undefined &&
        options.timeouts?.toolCallMs !== undefined && { toolHeadersTimeoutMs: options.timeouts.toolCallMs }),
    });
    const admission = adapter.admit(definition, status);
    return admission.ok ? accept(adapter.construct(admission.value)) : admission;
  };

  const admitStdio = async (server: ApprovedServer): ReturnType<Carriers["admit"]> => {
    const { definition, subject, status, recheck } = server;
    const { createStdioAdapter } = await import("../../adapters/mcp-sdk/stdio-adapter.ts");
    runner ??= makeRunner(options, parts);
    const { onServerStderr } = options;
    const adapter = createStdioAdapter({
      authority: authorityFor(server, settings, parts),
      runner: await runner,
      probe: parts.probe,
      clock: parts.clock,
      ...(onServerStderr && { stderr: (line: string, serverId: string) => onServerStderr(serverId, line) }),
    });
    const admission = await adapter.admit(definition, { subject, status, recheck });
    const { cancel = "close" } = options;
    return admission.ok ? accept(adapter.construct(admission.value, { cancel })) : admission;
  };

  return {
    admit: (server) => (server.definition.transport === "stdio" ? admitStdio(server) : admitHttp(server)),
  };
}

function authorityFor(server: ApprovedServer, settings: HostSettings, parts: QuietParts) {
  const { definition, recheck } = server;
  const material = materialOf(definition);
  const configuredCwd = material.transport === "stdio" ? material.cwd?.text : undefined;
  return createApprovedAuthority(definition.name, definition.fingerprint, {
    currentStatus: recheck,
    folder: workingFolder(definition.source, configuredCwd, settings),
    finder: parts.finder,
    probe: parts.probe,
    environment: childEnvironment(settings),
  });
}

async function makeRunner(options: McpHostOptions, parts: QuietParts): Promise<ProcessRunner> {
  if (options.parts?.runner !== undefined) return options.parts.runner;
  const { createProcessRunner } = await import("../../adapters/child-process/process-runner.ts");
  return createProcessRunner({ clock: parts.clock });
}
