import { credentialField } from "../../domain/elicitation/credential-field.ts";
import type { FormAnswer, FormField, FormValue } from "../../domain/elicitation/form.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { Ask, AskPrompt } from "../../ports/ask.ts";
import type { Person } from "../../ports/person.ts";
import type { CommandContext } from "./command.ts";
import { askedFor, barred, fieldLines } from "./form-text.ts";
import { typedValue } from "./typed-value.ts";

/** Lines that did not fit one field, after which the form is closed. */
const ATTEMPTS = 3;

type Context = Pick<CommandContext, "output" | "person">;

/**
 * Puts a server's form to the person at the terminal: what it is, field by field, and once more before anything goes.
 * Without a terminal nobody is waited for and the form is closed (M6); one that asks for a credential is declined.
 */
export function createTerminalAsk({ output, person }: Context): Ask {
  return async (prompt, { signal }) => {
    const server = `"${escapeForDisplay(prompt.serverId)}"`;
    const credential = credentialField(prompt.form);
    if (credential !== undefined) {
      output.note(
        `sallyport: server ${server} asks for what looks like a credential, which no server may; declined`,
      );
      for (const line of barred(credential.title ?? credential.name)) output.note(line);
      return { action: "decline" };
    }
    return put(prompt, { output, server, signal, person: await person() });
  };
}

interface Asking {
  readonly output: Context["output"];
  readonly server: string;
  readonly signal: AbortSignal;
  readonly person: Person;
}

async function put({ form }: AskPrompt, asking: Asking): Promise<FormAnswer> {
  const { output, server, person, signal } = asking;
  output.note(`sallyport: server ${server} asks during this call; its words are behind the bar`);
  for (const line of barred(form.message)) output.note(line);
  const start = await person.confirm(
    form.fields.length === 0 ? `Say yes to ${server}?` : `Answer ${server}?`,
    {
      signal,
    },
  );
  if (start === "nobody") {
    output.note(
      "sallyport: there is no terminal to ask at, so it gets no answer; call the tool from a terminal",
    );
    return { action: "cancel" };
  }
  if (start === "no") return { action: "decline" };
  if (form.fields.length === 0) return { action: "accept", content: {} };
  const values: (readonly [string, FormValue])[] = [];
  for (const [index, field] of form.fields.entries()) {
    output.note(`Field ${index + 1} of ${form.fields.length}${field.required ? ", required" : ""}:`);
    const value = await ask(field, asking);
    if (value === "closed") return { action: "cancel" };
    if (value !== "left-out") values.push([field.name, value.value]);
  }
  const send = await person.confirm(`Send these answers to ${server}?`, { signal });
  // A key `__proto__` becomes an ordinary property there.
  return send === "yes" ? { action: "accept", content: Object.fromEntries(values) } : { action: "decline" };
}

async function ask(
  field: FormField,
  { output, person, signal }: Asking,
): Promise<{ readonly value: FormValue } | "left-out" | "closed"> {
  for (const line of fieldLines(field)) output.note(line);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const line = await person.line(`  ${askedFor(field)}: `, { signal });
    if (line === "ended" || line === "nobody") return "closed";
    const value = typedValue(field, line.typed);
    if (value !== "does-not-fit") return value;
    output.note("  That does not fit.");
  }
  return "closed";
}
