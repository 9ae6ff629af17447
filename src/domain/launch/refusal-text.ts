import type { StdioDetail, StdioReason, StdioRefusal } from "./refusal.ts";

const REASONS: Readonly<Record<StdioReason, string>> = {
  "definition-identity": "The approval is about another definition; resolve and approve the server again.",
  activation: "The server is not approved; review it and approve it first.",
  authority: "The host does not allow this program to be started.",
  cwd: "The server may not start in that working directory.",
  environment: "An environment variable of the definition may not reach the server.",
  "invalid-input": "The server cannot be started as it is defined.",
  start: "The operating system could not start the program.",
  "early-exit": "The server ended by itself.",
  send: "A message could not be written to the server.",
  cancelled: "The request was cancelled; whether the server already acted is not known.",
  cleanup: "Some process of the server could not be ended; look for it and end it by hand.",
  "receive-limit": "The server sent more than the host takes.",
  "receive-invalid": "The server writes something other than MCP messages to its standard output.",
};

const DETAILS: Readonly<Record<StdioDetail, string>> = {
  "other-subject": "The approval was asked for another definition; ask again for this one.",
  "other-record": "The approval on record is for another definition; approve this one.",
  pending: "Nobody has approved this server yet; review it and approve it.",
  stale: "The server changed since it was approved; review the change and approve it again.",
  rejected: "This server was rejected; approve it if that was not meant.",
  revoked: "The approval of this server was revoked; approve it again to use it.",
  untrusted: "The workspace is not trusted; trust it before its servers can be used.",
  "not-listed": "The host's authority does not list this command; add it there to allow it.",
  "not-approved": "No approval covers this server as it is now; approve it again.",
  "no-launch-facts": "The approval does not say what may be started; approve the server again.",
  "executable-missing": "The command is not there any more; install it, or change the definition.",
  "arguments-not-listed": "The host's authority does not list these arguments; add them there to allow them.",
  "not-absolute": "The authority has to name the program by its absolute path.",
  "not-canonical": "The authority names the program through a symbolic link; it has to name the file itself.",
  "not-a-file": "The command does not lead to a regular file.",
  "not-executable": "The command leads to a file that may not be executed.",
  "other-executable": "The command leads to another file than the one that is allowed.",
  shell:
    "The command is a shell, or starts whatever its arguments say; allow that by name, or name the program.",
  "batch-file":
    "Windows batch files are not started; use the program behind it, such as node with its script.",
  "generation-changed": "What the host allows has changed meanwhile; admit the server again.",
  "executable-changed": "The program was replaced since it was approved; review it and approve it again.",
  "cwd-changed": "The working directory was replaced since it was approved; approve the server again.",
  nul: "A text of the definition holds a NUL character; remove it.",
  "leftover-template": "A ${…} of the definition was not replaced; set the variable, or write the value.",
  "not-found": "The file or folder is not there; check the command and the working directory.",
  "bad-root": "The folder that the server has to stay in is missing, or is not named by its real path.",
  "parent-segment": "The working directory goes up through `..`; write the folder it means.",
  "home-shorthand": "`~` is not expanded in a working directory; write the whole path.",
  "not-a-folder": "The working directory is not a folder.",
  "not-enterable": "The working directory may not be entered.",
  "outside-root": "The working directory is outside the folder that the server has to stay in.",
  "symlink-escape":
    "A symbolic link leads the working directory outside the folder that the server has to stay in.",
  "invalid-key": "An environment variable has a name that cannot be one; rename it.",
  "duplicate-key": "Two environment variables have the same name on this system; keep one.",
  "not-allowed":
    "An environment variable is not among those that may reach the server; allow it or remove it.",
  "code-changing": "An environment variable changes which code runs; allow it by name, or remove it.",
  "function-value": "The value of an environment variable starts with `()`, which old shells run; change it.",
  "not-stdio": "The definition is not of a server that is started as a process.",
  "unset-variable": "The definition uses a variable that is not set; set it, or give it a default.",
  "not-serialisable": "A message holds something that JSON cannot say, such as a cycle.",
  "not-permitted": "The operating system does not permit the program to be started.",
  "too-large": "The arguments and the environment are too large for the operating system.",
  "no-resources": "The system has no process, memory or file left to start the program with.",
  "bad-format": "The file is not a program that this system can run.",
  "other-fault": "The operating system could not start the program.",
  exited: "The server ended by itself; its own messages on stderr may say why.",
  signalled: "The server was ended by a signal from outside.",
  "not-started": "The connection has not been started yet.",
  closed: "The connection is closed.",
  "pipe-broken": "The server closed its input and takes no more messages.",
  "by-request": "A request was cancelled, so the server was closed; whether it already acted is not known.",
  "by-close": "The host closed the connection; whether the server finished the request is not known.",
  survivors: "Some process of the server could not be ended; look for it and end it by hand.",
  frame: "The server sent one message that is larger than the host takes.",
  flood: "The server floods the host with messages nobody asked for.",
  "junk-lines": "The server prints too much that is not MCP to its standard output; it has to log to stderr.",
};

/** A key that can stand in a sentence as it is. */
const SHOWABLE_KEY = /^[\w.()-]{1,256}$/;

/** Says in one sentence what was refused and what helps. No value, path or argument is in it. */
export function describeStdioRefusal({ reason, detail, key, exitCode }: StdioRefusal): string {
  const sentence = detail === undefined ? REASONS[reason] : DETAILS[detail];
  if (key !== undefined && SHOWABLE_KEY.test(key)) return `${sentence} (${key})`;
  return exitCode === undefined ? sentence : `${sentence} (exit code ${exitCode})`;
}
