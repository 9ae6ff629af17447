import { escapeForDisplay } from "../display-text.ts";
import type { ElicitationReason, ElicitationRefusal } from "./refusal.ts";

const SENTENCES: Readonly<Record<ElicitationReason, string>> = {
  "url-mode": "it wants a page opened, and only forms are answered here.",
  "form-malformed":
    "the form that it asks to be filled in is none of the specification; the server has to be fixed.",
  "form-too-large": "the form that it asks to be filled in is larger than the bound.",
  "round-malformed": "what it asks for in the middle of the call is nothing that the protocol knows.",
  "round-too-large": "it asks more at once than the bound allows.",
  "answer-mismatch": "the answer did not fit the form, and was not sent.",
  "ask-failed": "this host could not put the form to anybody, and sent no answer.",
  "sampling-asked": "it asks for a model's words, which nobody gives it here; the connection was closed.",
  "roots-asked": "it asks for folders, which nobody names to it here; the connection was closed.",
  "too-many-rounds": "it goes on asking after ten rounds; the connection was closed.",
};

/** Says in one sentence over what a call ended. Holds no text of the server's, and no answer. */
export function describeElicitationRefusal({ serverId, reason }: ElicitationRefusal): string {
  return `server "${escapeForDisplay(serverId)}", calling a tool: ${SENTENCES[reason]}`;
}
