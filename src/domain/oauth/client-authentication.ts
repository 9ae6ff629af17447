import type { ClientAuthentication } from "./credential.ts";

/** RFC 8414 section 2: what is meant where a server's metadata does not say. */
const UNSAID: readonly string[] = ["client_secret_basic"];

/**
 * Chooses how a client that is already known proves itself. `undefined`: the server takes nothing that this
 * client has. A client without a secret is public, whatever the server lists: it will say no itself.
 */
export function chooseAuthentication(
  supported: readonly string[] | undefined,
  has: { readonly secret: boolean; readonly privateKey: boolean },
): ClientAuthentication | undefined {
  const methods = supported ?? UNSAID;
  if (has.privateKey) {
    return supported === undefined || methods.includes("private_key_jwt") ? "private_key_jwt" : undefined;
  }
  if (!has.secret) return "none";
  return first(methods, ["client_secret_basic", "client_secret_post", "none"]);
}

/** Chooses what a dynamic registration asks for: no secret where there need not be one. */
export function chooseRegisteredAuthentication(
  supported: readonly string[] | undefined,
): ClientAuthentication | undefined {
  return first(supported ?? UNSAID, ["none", "client_secret_basic", "client_secret_post"]);
}

function first(
  methods: readonly string[],
  wanted: readonly ClientAuthentication[],
): ClientAuthentication | undefined {
  return wanted.find((method) => methods.includes(method));
}
