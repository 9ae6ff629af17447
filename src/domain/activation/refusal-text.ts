import { escapeForDisplay } from "../display-text.ts";
import type { ActivationRefusal } from "./approval.ts";
import type { ActivationDecisionRefusal } from "./decide.ts";
import type { HomeRefusal, StoreReason, StoreRefusal } from "./store-refusal.ts";

type Sentence = (server: { readonly shown: string; readonly argument: string }) => string;

const ACTIVATION: Readonly<Record<ActivationRefusal["reason"], Sentence>> = {
  pending: ({ shown, argument }) =>
    `Server ${shown} was never approved; look at it with: sallyport approve ${argument}`,
  stale: ({ shown, argument }) =>
    `Server ${shown} is not what was decided about before; see what changed, and decide, with: sallyport approve ${argument}`,
  rejected: ({ shown, argument }) =>
    `Server ${shown} was rejected; to allow it after all: sallyport approve ${argument}`,
  revoked: ({ shown, argument }) =>
    `The approval of server ${shown} was revoked; to give it again: sallyport approve ${argument}`,
  untrusted: ({ shown }) =>
    `Server ${shown} is bound to a workspace that is not trusted; if its files are yours to run: sallyport trust`,
};

/** Says in one sentence why a server may not be used, and which command changes that. */
export function describeActivationRefusal(refusal: ActivationRefusal): string {
  return ACTIVATION[refusal.reason](named(refusal.serverId));
}

const DECISION: Readonly<Record<ActivationDecisionRefusal["reason"], Sentence>> = {
  untrusted: ({ shown }) =>
    `Server ${shown} was not approved, because its workspace is not trusted; if its files are yours to run: sallyport trust`,
  "workspace-changed": ({ shown, argument }) =>
    `Server ${shown} was not approved, because its workspace changed meanwhile; look again with: sallyport approve ${argument}`,
};

/** Says why nothing was approved. */
export function describeActivationDecisionRefusal(refusal: ActivationDecisionRefusal): string {
  return DECISION[refusal.reason](named(refusal.serverId));
}

const STORE: Readonly<Record<StoreReason, string>> = {
  "store-failed":
    "Sallyport's home cannot be read or written, and nothing was changed; make it a folder of yours on a disk with space, or choose another with --home.",
  "store-corrupt":
    "A file in Sallyport's home is not what Sallyport wrote, so nothing is allowed and nothing was changed; restore approvals.json and workspaces.json, or move both away to decide anew.",
  "store-too-new":
    "A file in Sallyport's home was written by a later version, and nothing was changed; use that version.",
  "store-insecure":
    "Somebody else could change or read Sallyport's files, so they are not believed; make its home and all in it yours alone (on Linux and macOS: chmod -R go-rwx), without symbolic links among its files.",
  "store-full":
    "There are more decisions than Sallyport keeps, and nothing was changed; move approvals.json and workspaces.json away to decide anew.",
  "lock-timeout": "Another process is writing to Sallyport's home, and nothing was changed; try again.",
  "workspace-missing":
    "The workspace is not a folder that can be looked at; choose another with --workspace.",
};

/** Says what is wrong with Sallyport's own files, and what puts it right. */
export function describeStoreRefusal(refusal: StoreRefusal): string {
  return STORE[refusal.reason];
}

const HOME: Readonly<Record<HomeRefusal["reason"], string>> = {
  "home-not-absolute":
    "Sallyport's home has to be an absolute path; set SALLYPORT_HOME to one, or use --home.",
  "home-in-workspace":
    "Sallyport's home and the workspace may not be inside each other, since what works there could approve itself; choose another --workspace or --home.",
  "settings-invalid":
    'What `settings.json` in Sallyport\'s home says cannot be used; it takes { "version": 1, "pins": "hold" }, with hold, report or off, and has to be its owner\'s alone (0600).',
  "home-unusable":
    "Sallyport's home leads nowhere, or through what is no folder; choose another with --home.",
};

/** Says why there is no place for Sallyport's files. */
export function describeHomeRefusal(refusal: HomeRefusal): string {
  return HOME[refusal.reason];
}

function named(serverId: string): { readonly shown: string; readonly argument: string } {
  const shown = escapeForDisplay(serverId);
  return { shown: `"${shown}"`, argument: shellArgument(shown) };
}

/**
 * Writes a name so that the line can be pasted into a POSIX shell. A project chooses the names of its servers,
 * and `x; rm -rf ~` is one of them.
 */
function shellArgument(name: string): string {
  const quoted = /^[\w.@/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  return name.startsWith("-") ? `-- ${quoted}` : quoted;
}
