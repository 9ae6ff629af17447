import type { Carrier } from "../../adapters/mcp-sdk/carrier.ts";
import type { ActivationStatus, ActivationSubject } from "../../domain/activation/approval.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { baseEnvironment } from "../../domain/launch/base-environment.ts";
import { materialOf } from "../../domain/definition/definition.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { Egress } from "../../ports/egress.ts";
import type { ProcessRunner } from "../../ports/process-runner.ts";
import { createApprovedAuthority } from "../flows/approved-authority.ts";
import { workingFolder } from "../flows/working-folder.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";

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
  admit(server: ApprovedServer): Promise<Outcome<Carrier, PeerFailure["refusal"] | CarrierRefusal>>;
  close(): Promise<void>;
}

/** What admission can answer besides what a connection can. */
export type CarrierRefusal = import("../../adapters/mcp-sdk/streamable-http.ts").HttpRefusal;

export function createCarriers(options: McpHostOptions, settings: HostSettings, parts: QuietParts): Carriers {
  let egress: Promise<Egress> | undefined;
  let runner: Promise<ProcessRunner> | undefined;

  const admitHttp = async ({ definition, status }: ApprovedServer): ReturnType<Carriers["admit"]> => {
    const { createStreamableHttpAdapter } = await import("../../adapters/mcp-sdk/streamable-http.ts");
    egress ??= makeEgress(options, parts);
    const adapter = createStreamableHttpAdapter({
      egress: await egress,
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
    return admission.ok ? accept(adapter.construct(admission.value)) : admission;
  };

  return {
    admit: (server) => (server.definition.transport === "stdio" ? admitStdio(server) : admitHttp(server)),
    close: async () => {
      await (await egress)?.close();
    },
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
    environment: baseEnvironment(settings.environment, {
      platform: process.platform,
      names: settings.environmentNames,
    }),
  });
}

async function makeEgress(options: McpHostOptions, parts: QuietParts): Promise<Egress> {
  const given = options.parts;
  if (given?.egress !== undefined) return given.egress;
  const [{ createUndiciEgress }, { createSystemResolver }] = await Promise.all([
    import("../../adapters/http-undici/egress.ts"),
    import("../../adapters/node-dns/resolver.ts"),
  ]);
  return createUndiciEgress({
    resolver: given?.resolver ?? createSystemResolver(),
    policy: { allowDestinations: options.allowDestinations ?? [] },
    clock: parts.clock,
  });
}

async function makeRunner(options: McpHostOptions, parts: QuietParts): Promise<ProcessRunner> {
  if (options.parts?.runner !== undefined) return options.parts.runner;
  const { createProcessRunner } = await import("../../adapters/child-process/process-runner.ts");
  return createProcessRunner({ clock: parts.clock });
}
