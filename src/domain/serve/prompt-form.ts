import { cleanText } from "../catalog/untrusted-text.ts";
import { escapeForDisplay } from "../display-text.ts";
import type { ElicitationForm, FormAnswer, FormField, FormOption } from "../elicitation/form.ts";
import {
  FIELD_TEXT_LIMIT,
  FORM_MESSAGE_LIMIT,
  FORM_OPTION_LIMIT,
  FORM_TITLE_LIMIT,
  OPTION_VALUE_LIMIT,
} from "../elicitation/limits.ts";
import type { AgentAnswer, AgentPrompt } from "./agent.ts";

const DECISION = "decision";
const CHOICE = "choice";
const TEXT = "text";

/**
 * Writes a prompt as the form that its caller is shown (R10). `undefined`: it is not for a caller at all. A masked
 * answer stays on this side, and what is over the bounds of a form would ask for something else when cut.
 */
export function promptForm(prompt: AgentPrompt): ElicitationForm | undefined {
  switch (prompt.kind) {
    case "permission":
      return permissionForm(prompt);
    case "question":
      return prompt.masked ? undefined : questionForm(prompt);
    case "form": {
      const message = `${escapeForDisplay(prompt.from)} asks: ${prompt.form.message}`;
      return message.length > FORM_MESSAGE_LIMIT ? undefined : { message, fields: prompt.form.fields };
    }
  }
}

function permissionForm({
  toolName,
  description,
}: AgentPrompt & { readonly kind: "permission" }): ElicitationForm | undefined {
  const name = escapeForDisplay(toolName);
  const message = cleanText(`May the tool "${name}" run this once?\n${description}`, Infinity).text.trim();
  if (message.length > FORM_MESSAGE_LIMIT) return undefined;
  const options: readonly FormOption[] = [
    { value: "allow-once", title: "Allow once" },
    { value: "deny", title: "Deny" },
  ];
  return {
    message,
    fields: [{ name: DECISION, title: "Decision", required: true, type: "choice", options }],
  };
}

function questionForm({
  message,
  options,
  freeText,
}: AgentPrompt & { readonly kind: "question" }): ElicitationForm | undefined {
  const shown = cleanText(message, Infinity).text;
  const offered = [...new Set(options)];
  const tooMuch =
    shown.length > FORM_MESSAGE_LIMIT ||
    offered.length > FORM_OPTION_LIMIT ||
    offered.some((option) => option === "" || option.length > OPTION_VALUE_LIMIT);
  if (tooMuch) return undefined;
  const fields: FormField[] = [];
  if (offered.length > 0) {
    const choice = offered.map((value) => ({ value, title: titleOf(value) }));
    fields.push({ name: CHOICE, title: "Choice", required: !freeText, type: "choice", options: choice });
  }
  if (freeText) {
    const required = offered.length === 0;
    fields.push({ name: TEXT, title: "Answer", required, type: "text", maxLength: FIELD_TEXT_LIMIT });
  }
  return { message: shown, fields };
}

function titleOf(option: string): string {
  return cleanText(option, FORM_TITLE_LIMIT).text;
}

/** What an answered form means to whoever asked. Only a plain yes allows; an answer without an answer is none. */
export function promptAnswer(prompt: AgentPrompt, answer: FormAnswer): AgentAnswer {
  if (prompt.kind === "form") return { kind: "form", answer };
  if (answer.action !== "accept") {
    return { kind: answer.action === "decline" && prompt.kind === "permission" ? "deny" : "cancelled" };
  }
  if (prompt.kind === "permission") {
    return { kind: answer.content[DECISION] === "allow-once" ? "allow-once" : "deny" };
  }
  const { [CHOICE]: option, [TEXT]: text } = answer.content;
  const said = {
    ...(typeof option === "string" && { option }),
    ...(typeof text === "string" && text !== "" && { text }),
  };
  const isAnswered = Object.keys(said).length > 0 || (prompt.options.length === 0 && !prompt.freeText);
  return isAnswered ? { kind: "answer", ...said } : { kind: "cancelled" };
}
