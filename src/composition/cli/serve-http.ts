import { resolve } from "node:path";

import { createFileAuditLog } from "../../adapters/files/audit-log.ts";
import { createTokenFile, type TokenFile } from "../../adapters/files/token-file.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import { TOKEN_ALGORITHMS } from "../../domain/gate/access-token.ts";
import { Secret } from "../../domain/secret.ts";
import { McpServeError } from "../../domain/serve/serve-error.ts";
import { hostSettings } from "../host/default-parts.ts";
import { McpHostError } from "../host/mcp-host-error.ts";
import type { GateAudit } from "../serve/http-audit.ts";
import { createMcpHttpHost, createMcpRemoteHttpHost } from "../serve/http-hosts.ts";
import { createSystemAccessTokenVerifier } from "../serve/system-token-verifier.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_CODES } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { jsonDocument } from "./output.ts";
import { reportRefusal } from "./report.ts";
import type { Carry } from "./serve.ts";
import { gateAuditLog } from "./serve-audit.ts";
import type { ServeFlags } from "./serve-flags.ts";
import { callersFolder } from "./start-folder.ts";
import { VERSION } from "./version.ts";

type Loopback = ServeFlags & { readonly over: "loopback" };
type Remote = ServeFlags & { readonly over: "remote" };

/** What both hosts are told besides the session. */
const SERVED = { name: "sallyport", version: VERSION, submitTool: false, askClient: true } as const;

/**
 * Serves on 127.0.0.1 behind a fresh bearer (R4). It is shown once on the terminal, or written to a file that is made for
 * it; without either nobody could call, and nothing is started (M6).
 */
export async function overLoopback(
  { port, tokenFile }: Loopback,
  context: CommandContext,
): Promise<Carry | ExitCode> {
  const { output, watched } = context;
  if (tokenFile === undefined && !watched) {
    output.note(
      "sallyport: there is no terminal to show the bearer token on; name a new file for it with --token-file",
    );
    return EXIT_CODES.usage;
  }
  const audit = await openAudit(context);
  if (typeof audit !== "function") return audit;
  return async (call, session) => {
    const file =
      tokenFile === undefined ? undefined : await createTokenFile(resolve(callersFolder(), tokenFile));
    if (tokenFile !== undefined && file === undefined) {
      output.note(
        "sallyport: --token-file takes the name of a file that is not there yet, in a folder that is",
      );
      return EXIT_CODES.usage;
    }
    const host = createMcpHttpHost({ ...SERVED, session, port, audit });
    try {
      return await untilEnded(call, host, async () => {
        const { url, token } = await host.start();
        await tellToken(call, new Secret(token), file);
        call.output.answer(call.line.json ? jsonDocument({ url }) : `${url}\n`);
      });
    } finally {
      await file?.remove();
    }
  };
}

async function tellToken(
  { output }: CommandContext,
  token: Secret,
  file: TokenFile | undefined,
): Promise<void> {
  if (file !== undefined) await file.write(token);
  // Fault B7: to the terminal that a person looks at, and to no log.
  else output.note(`sallyport: bearer token, shown this once: ${token.reveal()}`);
}

/** Serves to the world as an OAuth protected resource (R5): every call needs a token of the issuer. */
export async function overNetwork(flags: Remote, context: CommandContext): Promise<Carry | ExitCode> {
  const { publicUrl, issuer, scopes, subjects, clients, listen, trustedProxies } = flags;
  const audit = await openAudit(context);
  if (typeof audit !== "function") return audit;
  return async (call, session) => {
    const { output, line } = call;
    try {
      await using verifier = createSystemAccessTokenVerifier({
        issuer,
        resource: publicUrl,
        algorithms: TOKEN_ALGORITHMS,
        requiredScopes: scopes,
        allowedSubjects: subjects,
        allowedClients: clients,
      });
      const authorization = { publicUrl, issuer, scopes, verifier, trustedProxies, audit };
      const { address: host, port } = listen;
      const remote = createMcpRemoteHttpHost({ ...SERVED, session, host, port, authorization });
      return await untilEnded(call, remote, async () => {
        const { listening, url } = await remote.start();
        output.answer(line.json ? jsonDocument({ url, listening }) : `${url}\n`);
        output.note(`sallyport: listening on ${listening.address} port ${listening.port}, for ${url}`);
      });
    } catch (error) {
      const said =
        error instanceof TypeError && "code" in error ? MISUSES.get(String(error.code)) : undefined;
      if (said === undefined) throw error;
      output.note(`sallyport: ${said}`);
      return EXIT_CODES.usage;
    }
  };
}

/** What a host or a verifier cannot be built of, in the words of the command line. */
const MISUSES: ReadonlyMap<string, string> = new Map([
  ["public-url-invalid", "--public-url takes an https URL as clients write it, without query and fragment"],
  ["resource-invalid", "--public-url takes an https URL as clients write it, without query and fragment"],
  ["issuer-invalid", "--issuer takes an https URL, exactly as the issuer writes it"],
  ["issuer-insecure", "--issuer takes an https URL, exactly as the issuer writes it"],
  ["scopes-invalid", "--scope takes scope tokens (RFC 6749), apart by blanks"],
  ["host-not-literal", "--listen takes ADDRESS:PORT with a literal address; IPv6 stands in brackets"],
  ["trusted-proxy-invalid", "--trusted-proxy takes the literal address, or the block, of a proxy"],
]);

/** Starts, tells where, and serves until the signal. A host that does not come to listen is usage: its place has to change. */
async function untilEnded(
  { signal, output }: CommandContext,
  host: { stop(): Promise<void> },
  start: () => Promise<void>,
): Promise<ExitCode> {
  const ended = new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
  try {
    await start();
    await ended;
    return EXIT_CODES.done;
  } catch (error) {
    if (!(error instanceof McpServeError)) throw error;
    if (signal.aborted) return EXIT_CODES.done;
    output.note(`sallyport: ${LISTEN_WORDS.get(error.code) ?? "the gateway could not be started"}`);
    return LISTEN_WORDS.has(error.code) ? EXIT_CODES.usage : EXIT_CODES.unexpected;
  } finally {
    await host.stop();
  }
}

const LISTEN_WORDS: ReadonlyMap<string, string> = new Map([
  ["port-taken", "that port is taken, or only the system may listen on it; name another one, or none"],
  ["address-unavailable", "this machine has no such address to listen on"],
]);

/** Refusals of the gate stand in the same log as every other decision (A6, R7). */
async function openAudit(context: CommandContext): Promise<GateAudit | ExitCode> {
  const { line, output } = context;
  try {
    const { home } = await hostSettings(
      line.home === undefined ? {} : { home: resolve(callersFolder(), line.home) },
    );
    return gateAuditLog({ sink: createFileAuditLog({ folder: home }), clock: createSystemClock(), output });
  } catch (error) {
    if (error instanceof McpHostError) return reportRefusal(context, error.refusal);
    throw error;
  }
}
