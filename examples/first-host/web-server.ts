/**
 * Runs the official everything server over HTTP as a separate program, on a free port of loopback, and says
 * which. It stands for a server that somebody else operates.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface WebServer {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startWebServer(): Promise<WebServer> {
  const tellPort = fileURLToPath(new URL("tell-port.mjs", import.meta.url));
  const entry = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const child = spawn(process.execPath, ["--import", tellPort, entry, "streamableHttp"], {
    env: { PORT: "0" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = once(child, "exit");
  const started = await Promise.race([once(child, "message"), exited]);
  const [port] = started;
  if (child.exitCode !== null || typeof port !== "number") throw new Error("the web server did not start");
  return {
    port,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
