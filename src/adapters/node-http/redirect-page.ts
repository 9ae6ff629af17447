import type { RedirectOutcome } from "../../ports/redirect-receiver.ts";

const SENTENCES: Readonly<Record<RedirectOutcome | "unknown", string>> = {
  "signed-in": "You are signed in. You can close this page.",
  refused: "The sign-in did not work. Return to the program that opened this page: it says why.",
  unknown: "You can close this page. Return to the program that opened it.",
};

/** A constant page for each outcome: nothing that came with the request is in it, so there is nothing to reflect. */
export function redirectPage(outcome: RedirectOutcome | undefined): string {
  const sentence = SENTENCES[outcome ?? "unknown"];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in</title><p>${sentence}</p></html>\n`;
}

/** The address of the page holds the code: it is neither kept, nor told to anybody that the page might lead to. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
