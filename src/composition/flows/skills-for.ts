import type { SessionIdentity } from "../../domain/session/identity.ts";
import { missingForSkills } from "../../domain/skills/support.ts";
import type { McpPeer } from "../../ports/mcp-peer.ts";
import type { SkillFrontmatter } from "../../ports/skill-frontmatter.ts";
import { createSkills, type SkillsOptions } from "./skills.ts";
import type { SkillsView } from "./skills-view.ts";

/** The view of a server's skills, where everything is there that S1 asks for. Sends nothing. */
export function skillsFor(
  peer: McpPeer,
  options: Pick<SkillsOptions, "serverId" | "clock" | "limits" | "perCallMs"> & {
    readonly skills?: SkillFrontmatter;
    readonly startupMs: number;
    readonly maxTotalFactor: number;
  },
  identity: () => SessionIdentity,
): SkillsView | undefined {
  const { skills: frontmatter, startupMs: listMs, maxTotalFactor, ...known } = options;
  if (frontmatter === undefined || missingForSkills(true, peer.identity) !== undefined) return undefined;
  const maxTotalMs = maxTotalFactor * options.perCallMs;
  return createSkills(peer, { ...known, identity, listMs, maxTotalMs, frontmatter });
}
