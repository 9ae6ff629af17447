import type { VerbFlag } from "./verbs.ts";

/** What the help of a verb says of its own flags. */
export const FLAG_HELP: Readonly<Record<VerbFlag, readonly [form: string, meaning: string]>> = {
  "allow-env": [
    "--allow-env KEY",
    "let this variable, which changes which code runs, reach the server; once for each",
  ],
  "allow-shell": ["--allow-shell", "let a command be started that runs whatever its arguments say"],
  arg: ["--arg KEY=VALUE", "one argument of the tool; once for each"],
  timeout: ["--timeout MS", "how long the call may take, in milliseconds (1 to 86,400,000)"],
  "server-stderr": ["--server-stderr", "show every line that servers write to stderr, as [NAME] line"],
  changes: ["--changes", "what differs of the tools from how they were pinned"],
  pins: ["--pins POLICY", "what happens to a tool that changed or came later: report (default), hold or off"],
  "no-browser": ["--no-browser", "print the address of the page, and open no browser"],
  "print-url": ["--print-url", "print the address of the page and end; goes on with --redirect-url"],
  "redirect-url": [
    "--redirect-url URL",
    "complete the sign-in with the address that the browser arrived at; - reads it from standard input",
  ],
  "client-credentials": ["--client-credentials", "sign in as the client itself, without a person"],
  "client-id": ["--client-id ID", "the id of a client that was registered by hand"],
  "client-secret-stdin": ["--client-secret-stdin", "read the secret of that client from standard input"],
  "private-key-stdin": ["--private-key-stdin", "read the private key of that client from standard input"],
  scope: [
    "--scope SCOPE",
    "a scope: for login, asked for instead of what the server names; for serve, needed in every token; may be given more than once",
  ],
  http: ["--http", "serve on 127.0.0.1, behind a bearer token that is new each time"],
  port: ["--port N", "the port on 127.0.0.1; default: a free one"],
  "token-file": [
    "--token-file FILE",
    "write the bearer token to this file, which must not be there yet, instead of showing it on the terminal",
  ],
  "public-url": ["--public-url URL", "serve to the world under this https URL; a proxy in front ends TLS"],
  issuer: ["--issuer URL", "who issues the access tokens (RFC 9068), exactly as the issuer writes itself"],
  subject: ["--subject SUB", "let in tokens of this subject; may be given more than once"],
  client: ["--client ID", "let in tokens of this client, whoever uses it; may be given more than once"],
  listen: ["--listen ADDR:PORT", "where the proxy connects to; default: 127.0.0.1 and a free port"],
  "trusted-proxy": [
    "--trusted-proxy ADDR",
    "believe this proxy about where a request came from; may be given more than once",
  ],
  "callback-port": ["--callback-port PORT", "the port on 127.0.0.1 that the browser comes back to"],
};
