import { escapeForDisplay } from "../../domain/display-text.ts";
import type { ConfiguredClient } from "../../domain/oauth/registration.ts";
import { activationRefusal } from "../../domain/activation/match.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { Secret } from "../../domain/secret.ts";
import type { SignedIn } from "../flows/oauth/complete-sign-in.ts";
import type { HostServer, McpHost } from "../host/mcp-host.ts";
import type { SignInChoices, SignInRequest } from "../host/sign-in-options.ts";
import type { UsageProblem } from "./usage-problem.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument, oneLine } from "./output.ts";
import { reportFailure, reportRefusal } from "./report.ts";
import { fixLine, withOperand } from "./shell-line.ts";
import type { SignInFlags } from "./sign-in-flags.ts";
import { withHost } from "./with-host.ts";

/**
 * Signs in to one server: with a browser, in two steps, or as the client itself. Without a terminal only what
 * needs no person is done; everything else ends at once and says which command goes on (M6).
 */
export const login: Command = (context) =>
  withHost(context, "needs", async (host) => {
    const { line } = context;
    const [name = ""] = line.operands;
    const flags: SignInFlags = line.signIn ?? { how: { step: "whole", browser: true } };
    // What never takes a sign-in is told before anybody is asked for a secret, an approval or a terminal.
    const reason = noSignIn(host.server(name));
    if (reason !== undefined) return reportRefusal(context, { kind: "host", reason, serverId: name });
    const client = await readClient(context, flags, configuredClientId(host, name));
    if (!client.ok) {
      context.output.note(`sallyport: ${client.refusal}`);
      return EXIT_CODES.usage;
    }
    return signIn({ context, host, name, flags, client: client.value });
  });

function noSignIn(found: HostServer | undefined): "unknown-server" | "unresolved" | "no-sign-in" | undefined {
  if (found === undefined) return "unknown-server";
  if (found.server.status === "unresolved") return "unresolved";
  const { transport, hasHeadersHelper } = found.server.definition;
  return transport === "stdio" || hasHeadersHelper ? "no-sign-in" : undefined;
}

interface Around {
  readonly context: CommandContext;
  readonly host: McpHost;
  readonly name: string;
  readonly flags: SignInFlags;
  readonly client: ConfiguredClient | undefined;
}

async function signIn(around: Around): Promise<ExitCode> {
  const { context, host, name, flags, client } = around;
  const { signal } = context;
  switch (flags.how.step) {
    case "whole":
      return signInHere(around, flags.how.browser);
    case "print-url":
      return printUrl(around);
    case "redirect-url": {
      const redirectUrl = await readRedirect(context, flags.how.url);
      if (redirectUrl !== undefined) {
        return answer(around, await host.completeSignIn(name, { redirectUrl, signal }));
      }
      context.output.note("sallyport: that is not the URL that the browser was sent to; nothing was used up");
      return EXIT_CODES.usage;
    }
    case "unattended":
      break;
  }
  if (client === undefined) return EXIT_CODES.usage;
  const { scopes } = flags;
  const request = { client, ...(scopes !== undefined && { scopes }), signal };
  return answer(around, await host.signInUnattended(name, request));
}

async function signInHere(around: Around, browser: boolean): Promise<ExitCode> {
  const { context, host, name } = around;
  const { output, line } = context;
  if (!context.watched) return nobodyAtHand(around);
  const showPage: SignInRequest["showPage"] = async (url, { signal }) => {
    const opening = browser ? await context.openPage(url, { signal }) : undefined;
    const told =
      opening === "opened"
        ? "a browser was opened; if it shows nothing, open this page yourself:"
        : "open this page in a browser on this machine:";
    output.note(`sallyport: ${told}`);
    output.note(url);
    const fix = fixLine(line, withOperand(["login"], ["--print-url"], escapeForDisplay(name)));
    output.note(`sallyport: waiting 5 minutes for the sign-in; with a browser on another machine: ${fix}`);
    return true;
  };
  return answer(around, await host.signIn(name, { ...choicesOf(around), showPage }));
}

/** A no that the host would say anyway comes first: a sign-in is not what helps then. */
function nobodyAtHand({ context, host, name }: Around): ExitCode {
  const { line, output } = context;
  const approval = host.server(name)?.approval;
  const denied = approval === undefined ? undefined : activationRefusal(approval, name);
  if (denied !== undefined) return reportRefusal(context, denied);
  const fix = fixLine(line, withOperand(["login"], ["--print-url"], escapeForDisplay(name)));
  const message = `a sign-in needs a person, and there is no terminal; to sign in with a browser elsewhere: ${fix}`;
  output.note(`sallyport: ${message}`);
  if (line.json)
    output.answer(jsonDocument({ error: { kind: "consent", reason: "nobody-to-ask", message } }));
  return EXIT_CODES.signIn;
}

async function printUrl(around: Around): Promise<ExitCode> {
  const { context, host, name } = around;
  const { line, output } = context;
  const begun = await host.beginSignIn(name, choicesOf(around));
  if (!begun.ok) return reportFailure(context, { refusal: begun.refusal }, name);
  const { authorizationUrl, redirectUri, issuer, expiresAtMs } = begun.value;
  const shown = escapeForDisplay(name);
  if (line.json) {
    output.answer(jsonDocument({ name: shown, authorizationUrl, redirectUri, issuer, expiresAtMs }));
  } else {
    output.answer(`${oneLine(authorizationUrl)}\n`);
  }
  const fix = fixLine(line, withOperand(["login"], ["--redirect-url", "-"], shown));
  output.note(
    `sallyport: open that page; the browser then shows an address that leads nowhere: give it, within 10 minutes, to: ${fix}`,
  );
  return EXIT_CODES.done;
}

function choicesOf({ context, flags, client }: Around): SignInChoices {
  const { scopes, callbackPort } = flags;
  return {
    ...(scopes !== undefined && { scopes }),
    ...(client !== undefined && { client }),
    ...(callbackPort !== undefined && { callbackPort }),
    signal: context.signal,
  };
}

function answer({ context, name }: Around, signedIn: Outcome<SignedIn, Refusal>): ExitCode {
  if (!signedIn.ok) return reportFailure(context, { refusal: signedIn.refusal }, name);
  const { issuer, client, scopes, expiresAtMs, resourceOmitted } = signedIn.value;
  const { line, output } = context;
  const shown = escapeForDisplay(name);
  output.answer(
    line.json
      ? jsonDocument({
          name: shown,
          state: "signed-in",
          issuer,
          client,
          scopes,
          expiresAtMs: expiresAtMs ?? null,
          resourceOmitted,
        })
      : `${oneLine(`signed in to ${shown}`)}\n`,
  );
  return EXIT_CODES.done;
}

function configuredClientId(host: McpHost, name: string): string | undefined {
  const server = host.server(name)?.server;
  return server === undefined || server.status === "unresolved"
    ? undefined
    : server.definition.oauth?.clientId;
}

/** A client registered by hand: its id from the line or the definition, its secret from standard input (U13). */
async function readClient(
  context: CommandContext,
  flags: SignInFlags,
  configuredId: string | undefined,
): Promise<Outcome<ConfiguredClient | undefined, UsageProblem>> {
  const { secret } = flags;
  const clientId = flags.clientId ?? (secret === undefined ? undefined : configuredId);
  if (clientId === undefined) {
    return secret === undefined
      ? accept(undefined)
      : refuse(
          "whose secret that is has to be said: with --client-id, or `oauth.clientId` in its configuration",
        );
  }
  if (secret === undefined) return accept({ clientId });
  const value = trimmed(await context.readInput());
  if (value === undefined) return refuse("standard input holds no secret, or more than 16,384 characters");
  const given = new Secret(value);
  return accept(
    secret === "client-secret" ? { clientId, clientSecret: given } : { clientId, privateKey: given },
  );
}

/** As much as a stored record may hold of one secret. */
const INPUT_LIMIT_CHARS = 16_384;

/** What was piped ends with a line break of the shell's; what is a secret begins and ends with neither. */
function trimmed(input: string | undefined): string | undefined {
  const value = input?.trim();
  return value === undefined || value === "" || value.length > INPUT_LIMIT_CHARS ? undefined : value;
}

/** Only what looks like a redirect is spent on the sign-in: a wrong paste must not end it. */
async function readRedirect(context: CommandContext, given: string): Promise<string | undefined> {
  const url = trimmed(given === "-" ? await context.readInput() : given);
  return url !== undefined && /^http:\/\/[^?#\s]+\?[^\s]*\b(?:code|error)=/.test(url) ? url : undefined;
}
