import { accept, refuse, type Outcome } from "../outcome.ts";
import type { Resolution, ResolvedServer } from "./resolution.ts";

/** Turns servers off over a resolution, each with the reason to show (D13). It can only narrow. */
export interface Overlay {
  readonly disabled: Readonly<Record<string, string>>;
}

/** A name in an overlay that no server has. */
export interface OverlayRefusal {
  readonly kind: "overlay";
  readonly reason: "unknown-server";
  readonly name: string;
  readonly knownNames: readonly string[];
}

/**
 * Applies an overlay to a resolution, which stays as it was: applying none gives the same entries back.
 * Refuses a name that does not exist (D13). What is unresolved or already disabled stays what it is.
 */
export function applyOverlay(resolution: Resolution, overlay: Overlay): Outcome<Resolution, OverlayRefusal> {
  const reasons = new Map(Object.entries(overlay.disabled));
  const knownNames = resolution.servers.map(({ name }) => name);
  const known = new Set(knownNames);
  for (const name of reasons.keys()) {
    if (!known.has(name)) return refuse({ kind: "overlay", reason: "unknown-server", name, knownNames });
  }
  const servers = resolution.servers.map((server) => narrow(server, reasons.get(server.name)));
  return accept({ ...resolution, servers });
}

function narrow(server: ResolvedServer, disabledReason: string | undefined): ResolvedServer {
  if (disabledReason === undefined) return server;
  if (server.status !== "resolved" && server.status !== "misconfigured") return server;
  return { ...server, status: "disabled", disabledBy: "overlay", disabledReason };
}
