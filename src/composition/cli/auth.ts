import { escapeForDisplay } from "../../domain/display-text.ts";
import type { AuthState } from "../../domain/oauth/credential.ts";
import type { McpHost } from "../host/mcp-host.ts";
import type { Command } from "./command.ts";
import { EXIT_CODES, exitCodeOf, worstOf } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { named, shownError } from "./report.ts";
import type { ShownError } from "./report.ts";
import { withHost } from "./with-host.ts";

/** How one server stands: one word (U12), or `null` and why it is not known. */
interface AuthRow {
  readonly name: string;
  readonly state: AuthState | null;
  readonly error?: ShownError;
}

/**
 * Prints one word for each server that takes a sign-in, whether it is approved or not. Contacts nobody. That a
 * sign-in is needed is an answer; the code is 0 unless a record could not be read.
 */
export const auth: Command = (context) =>
  withHost(context, "answers", async (host) => {
    const { line, output, signal } = context;
    const rows: AuthRow[] = [];
    const codes: ExitCode[] = [];
    for (const name of namesOf(host)) {
      const state = await host.authState(name, { signal });
      const shown = escapeForDisplay(name);
      if (state.ok) {
        rows.push({ name: shown, state: state.value });
        continue;
      }
      // A server that takes no sign-in has no state.
      if (state.refusal.kind === "host" && state.refusal.reason === "no-sign-in") continue;
      rows.push({ name: shown, state: null, error: shownError(state.refusal) });
      codes.push(exitCodeOf(state.refusal));
    }
    if (line.json) output.answer(jsonDocument({ servers: rows }));
    else if (rows.length === 0) output.answer("No configured server takes a sign-in.\n");
    else for (const { name, state } of rows) output.answer(`${oneLine(`${name}  ${state ?? "unknown"}`)}\n`);
    for (const { name, error } of rows) {
      if (error !== undefined) output.note(`sallyport: ${named(name, error.message)}`);
    }
    return codes.length === 0 ? EXIT_CODES.done : worstOf(codes);
  });

function namesOf(host: McpHost): readonly string[] {
  return host
    .servers()
    .filter(({ server }) => server.status !== "unresolved" && server.definition.transport === "http")
    .map(({ server }) => server.name);
}
