import { materialOf } from "../../domain/definition/definition.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { admitTarget } from "../../domain/egress/target.ts";
import { checkHeaders } from "../../domain/http/headers.ts";
import type { Refusal } from "../../domain/refusal.ts";

/**
 * Says why a server cannot be used however it is decided about, out of its definition alone: a transport that is not
 * spoken, a URL that is never contacted, a header that is never sent. `undefined`: nothing speaks against it here.
 */
export function obstacleOf(definition: ServerDefinition): Refusal | undefined {
  const material = materialOf(definition);
  if (material.transport === "stdio") return undefined;
  const serverId = definition.name;
  if (material.transport === "sse") return { kind: "http-admission", reason: "sse-transport", serverId };
  if (material.transport === "ws") return { kind: "http-admission", reason: "websocket-transport", serverId };
  // The command allows no private destinations: only a host that composes Sallyport itself can.
  const target = admitTarget(material.url.text, { allowDestinations: [] });
  if (!target.ok) return target.refusal;
  const headers = checkHeaders([...material.headers].map(([name, { text }]) => [name, text]));
  return headers.ok ? undefined : { kind: "http-admission", serverId, ...headers.refusal };
}
