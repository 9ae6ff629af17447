import { PROFILE_REASONS } from "./adapt-reason.ts";
import { bucketFor } from "./admit-text.ts";
import type { AdaptReason, CatalogTool } from "./catalog.ts";
import type { SchemaProfile } from "./profile-rules.ts";
import { profileSchema } from "./profile-schema.ts";

/* A tool that is shown to one API already can be shown to another. */
const OF_PROFILES: ReadonlySet<string> = new Set(PROFILE_REASONS);

/** Shows a tool's input as one model API takes it (K4). What calls are checked against comes along. */
export function profileTool(tool: CatalogTool, profile: SchemaProfile): CatalogTool {
  const narrowed = narrowedInput(tool);
  const { schema, reasons } = profileSchema(narrowed, profile);
  const before = tool.reasons.filter(({ reason }) => !OF_PROFILES.has(reason));
  const all = [...before, ...reasons.map(inTool)];
  return {
    ...tool,
    bucket: bucketFor(all),
    reasons: all,
    inputSchema: schema,
    profiled: { profile, narrowed },
  };
}

/** What the calls of a tool are checked against (K5), whatever is shown of it. */
export function narrowedInput({ inputSchema, profiled }: CatalogTool): CatalogTool["inputSchema"] {
  return profiled?.narrowed ?? inputSchema;
}

function inTool({ reason, path }: AdaptReason): AdaptReason {
  return path === undefined ? { reason } : { reason, path: `/inputSchema${path}` };
}
