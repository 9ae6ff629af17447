import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { SkillEntry } from "../../domain/skills/skill.ts";
import { missingForSkills } from "../../domain/skills/support.ts";
import type { SkillListing, SkillsView } from "../flows/skills-view.ts";
import type { ServerFailure } from "../host/connections.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES, exitCodeOf } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { named, reportFailure, shownFailure } from "./report.ts";
import { answerFile } from "./skill-answer.ts";
import { skillLines, skillRow, rejectedSkillRow } from "./skill-rows.ts";
import { withHost } from "./with-host.ts";

/**
 * Lists what a server says of its skills, or prints one file of one after its size and digest were checked. Nothing
 * of it is activated, kept or started (S5).
 */
export const skills: Command = (context) =>
  withHost(context, "needs", async (host, stderr) => {
    const [name = "", fileUri] = context.line.operands;
    const view = await openView(context, host, name);
    if (!view.ok) {
      stderr.explain(name, view.refusal.refusal);
      return reportFailure(context, view.refusal, name);
    }
    const listing = await view.value.list({ signal: context.signal });
    if (fileUri === undefined) return answerListing(context, listing, name);
    const entry = await owner(context, { view: view.value, listing, fileUri });
    if (!entry.ok) return reportFailure(context, entry.refusal, name);
    const file = await view.value.read(entry.value, fileUri, { signal: context.signal });
    return file.ok
      ? answerFile(context, { server: name, skill: entry.value.uri }, file.value)
      : reportFailure(context, file.refusal, name);
  });

/** A definition that does not ask for skills is not even connected to (S1). */
async function openView(
  { signal }: CommandContext,
  host: McpHost,
  name: string,
): Promise<Outcome<SkillsView, ServerFailure>> {
  const server = host.server(name)?.server;
  const isAsked = server?.status !== "resolved" || server.definition.skills;
  if (!isAsked) return unavailable(name, "selection");
  const session = await host.connect(name, { signal });
  if (!session.ok) return session;
  const { skills: view, server: peer } = session.value;
  return view === undefined ? unavailable(name, missingForSkills(true, peer) ?? "selection") : accept(view);
}

function unavailable(serverId: string, missing: NonNullable<ReturnType<typeof missingForSkills>>) {
  return refuse({ refusal: { kind: "skill", reason: "unavailable", serverId, missing } } as const);
}

function answerListing({ line, output }: CommandContext, listing: SkillListing, name: string): ExitCode {
  const { failure, rejected, state } = listing;
  const error = failure === undefined ? undefined : shownFailure(failure);
  if (line.json) {
    const rows = listing.skills.map(skillRow);
    const { complete } = state;
    output.answer(
      jsonDocument({
        server: name,
        complete,
        skills: rows,
        rejected: rejected.map(rejectedSkillRow),
        ...(error && { error }),
      }),
    );
  } else {
    for (const text of skillLines(listing)) output.answer(`${oneLine(text)}\n`);
  }
  if (error === undefined || failure === undefined) return EXIT_CODES.done;
  output.note(`sallyport: ${named(name, error.message)}`);
  if (error.said !== undefined) output.note(`sallyport: ${named(name, `the server says: ${error.said}`)}`);
  return exitCodeOf(failure.refusal);
}

interface Wanted {
  readonly view: SkillsView;
  readonly listing: SkillListing;
  readonly fileUri: string;
}

/** The innermost listed skill that the file is in; a server may have others, which are asked for by their SKILL.md. */
async function owner(
  { signal }: CommandContext,
  { view, listing, fileUri }: Wanted,
): Promise<Outcome<SkillEntry, ServerFailure>> {
  const holding = listing.skills
    .filter(({ uri }) => fileUri.startsWith(uri.slice(0, uri.lastIndexOf("/") + 1)))
    .toSorted((one, other) => other.uri.length - one.uri.length);
  const [innermost] = holding;
  if (innermost !== undefined) return accept(innermost);
  return view.get(fileUri, { signal });
}
