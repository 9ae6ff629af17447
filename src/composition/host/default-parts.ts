import { homedir } from "node:os";

import { createFileApprovalStore } from "../../adapters/files/approval-store.ts";
import { createFileAuditLog } from "../../adapters/files/audit-log.ts";
import { createFileConfigSource } from "../../adapters/files/config-source.ts";
import { createExecutableFinder } from "../../adapters/files/executable-search.ts";
import { createFileProbe } from "../../adapters/files/file-probe.ts";
import {
  localConfigPath,
  managedConfigPath,
  resolveHomeFolder,
  userConfigPath,
} from "../../adapters/files/home-folder.ts";
import { createFileWorkspaceRegistry } from "../../adapters/files/workspace-registry.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import type { Environment } from "../../domain/definition/resolution.ts";
import type { ConfigPlace } from "../../ports/config-source.ts";
import type { HostParts, McpHostOptions } from "./host-options.ts";
import { McpHostError } from "./mcp-host-error.ts";

/** The parts that a host needs before it talks to anybody: none of them opens a socket or starts a program. */
export type QuietParts = Pick<
  HostParts,
  "clock" | "configSource" | "approvals" | "workspaces" | "audit" | "finder" | "probe"
>;

export interface HostSettings {
  readonly home: string;
  readonly workspaceFolder: string | undefined;
  readonly userFolder: string;
  readonly places: readonly ConfigPlace[];
  readonly environment: Environment;
  readonly environmentNames: readonly string[];
}

/** @throws McpHostError with `home/…` when there is no safe place for Sallyport's own state. */
export async function hostSettings(options: McpHostOptions): Promise<HostSettings> {
  const environment = options.environment ?? ((name) => process.env[name]);
  const workspaceFolder = await canonicalWorkspace(options.workspace);
  const home = await resolveHomeFolder({
    environment,
    ...(options.home === undefined ? {} : { homeFlag: options.home }),
    ...(workspaceFolder === undefined ? {} : { workspace: workspaceFolder }),
  });
  if (!home.ok) throw new McpHostError(home.refusal);
  return {
    home: home.value,
    workspaceFolder,
    userFolder: homedir(),
    places: options.places ?? defaultPlaces(home.value, workspaceFolder, environment),
    environment,
    environmentNames: options.environmentNames ?? Object.keys(process.env),
  };
}

async function canonicalWorkspace(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const facts = await createFileProbe().look(folder);
  if (facts?.kind !== "folder") throw new McpHostError({ kind: "store", reason: "workspace-missing" });
  return facts.realPath;
}

/** M1: managed, local, project, user; strongest first. */
export function defaultPlaces(
  home: string,
  workspaceFolder: string | undefined,
  environment: Environment,
): readonly ConfigPlace[] {
  const managed: ConfigPlace = { source: "managed", path: managedConfigPath(process.platform, environment) };
  const user: ConfigPlace = { source: "user", path: userConfigPath(home) };
  if (workspaceFolder === undefined) return [managed, user];
  return [
    managed,
    { source: "local", path: localConfigPath(home, workspaceFolder) },
    { source: "project", path: `${workspaceFolder}/.mcp.json` },
    user,
  ];
}

export function quietParts(options: McpHostOptions, settings: HostSettings): QuietParts {
  const given = options.parts ?? {};
  const clock = given.clock ?? createSystemClock();
  const { home, environment } = settings;
  const pathExt = environment("PATHEXT");
  return {
    clock,
    configSource: given.configSource ?? createFileConfigSource(),
    approvals: given.approvals ?? createFileApprovalStore({ folder: home, clock }),
    workspaces: given.workspaces ?? createFileWorkspaceRegistry({ folder: home, clock }),
    audit: given.audit ?? createFileAuditLog({ folder: home }),
    probe: given.probe ?? createFileProbe(),
    finder:
      given.finder ??
      createExecutableFinder({
        path: environment("PATH") ?? "",
        platform: process.platform,
        ...(pathExt === undefined ? {} : { pathExt }),
      }),
  };
}
