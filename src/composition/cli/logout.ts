import { escapeForDisplay } from "../../domain/display-text.ts";
import type { Revocation } from "../flows/oauth/logout.ts";
import type { Command } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { reportFailure } from "./report.ts";
import { withHost } from "./with-host.ts";

/** U11. What is not revoked is forgotten here all the same. */
const NOTES: Readonly<Record<Revocation, string | undefined>> = {
  revoked: undefined,
  "not-attempted": undefined,
  unsupported: "the issuer revokes no tokens: what was issued stays valid there until it ends",
  partial: "the issuer revoked one of the two tokens: the other one stays valid there until it ends",
  failed: "the issuer did not revoke the tokens: they stay valid there until they end",
};

/** Signs out of one server. Saying no needs no question, no approval and no readable configuration of others. */
export const logout: Command = (context) =>
  withHost(context, "ignores", async (host) => {
    const { line, output, signal } = context;
    const [name = ""] = line.operands;
    const before = await host.authState(name, { signal });
    const done = await host.signOut(name, { signal });
    if (!done.ok) return reportFailure(context, { refusal: done.refusal }, name);
    const { revocation } = done.value;
    const shown = escapeForDisplay(name);
    output.answer(
      line.json
        ? jsonDocument({ name: shown, revocation })
        : `${oneLine(before.ok && before.value === "signed-out" ? `${shown} was not signed in` : `signed out of ${shown} (${revocation})`)}\n`,
    );
    const note = NOTES[revocation];
    if (note !== undefined) output.note(`sallyport: ${note}`);
    return EXIT_CODES.done;
  });
