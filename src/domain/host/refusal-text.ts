import { escapeForDisplay } from "../display-text.ts";
import type { HostReason, HostRefusal } from "./refusal.ts";

const SENTENCES: Readonly<Record<HostReason, string>> = {
  "unknown-server": "no server of that name is configured; `sallyport list` shows the names",
  unresolved: "its configuration entry cannot be used; `sallyport list` shows what is wrong with it",
  disabled: "it is disabled",
  "unset-variable": "its configuration names a variable that has no value; set it, or give it a default",
  "no-workspace": "it belongs to a workspace, and none was given; name the folder with `--workspace`",
  "executable-not-found": "its command is not an executable file on this machine",
  "cwd-not-found": "its working directory is not a folder on this machine",
  "needs-allow-env": "it sets variables that change which code runs; allow each one with `--allow-env`",
  "needs-allow-shell": "its command runs whatever its arguments say; allow that with `--allow-shell`",
  "program-hidden":
    "what it runs could not be shown, since a word that looks like a credential stands where its program or package is named; put that word behind the program's name, or into `env`",
  "env-key-not-defined": "a variable was allowed that its configuration does not set",
  "changed-meanwhile": "it changed since it was shown; look at it again",
  "no-sign-in":
    "there is nothing to sign in to: only a server with an http URL, without a headers helper and without a secret in its URL, takes a sign-in",
  closed: "the host was closed",
};

/** One sentence for a person, without any configured value. */
export function describeHostRefusal(refusal: HostRefusal): string {
  const keys =
    refusal.keys === undefined ? "" : ` (${refusal.keys.map((key) => escapeForDisplay(key)).join(", ")})`;
  const subject = refusal.serverId === "" ? "the workspace" : escapeForDisplay(refusal.serverId);
  return `${subject}: ${SENTENCES[refusal.reason]}${keys}`;
}
