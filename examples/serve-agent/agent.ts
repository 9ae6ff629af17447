import type { AgentOutcome, AgentSession } from "../../src/composition/server.ts";

const NOTES = new Map([["today", "Buy milk."]]);

/** Stands in for an agent: two tools, one of which wants a yes, and turns. */
export const agent: AgentSession = {
  tools: () =>
    Promise.resolve([
      { name: "note.read", description: "Reads a note", inputSchema: named },
      { name: "note.delete", description: "Deletes a note", inputSchema: named },
    ]),

  invoke: async (toolName, { name }, { signal, ask }) => {
    if (typeof name !== "string") return { status: "invalid-arguments", message: "`name` is a text." };
    if (toolName === "note.read") return said(NOTES.get(name) ?? "There is no such note.");
    const description = `It deletes the note "${name}".`;
    const answer = await ask?.({ kind: "permission", toolName, description }, { signal });
    if (answer?.kind !== "allow-once") return { status: "permission-required" };
    return said(NOTES.delete(name) ? "Deleted." : "There is no such note.");
  },

  submit: (prompt) => Promise.resolve(said(`You said: ${prompt}`)),
};

const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;

function said(text: string): AgentOutcome {
  return { status: "completed", content: [{ type: "text", text }] };
}
