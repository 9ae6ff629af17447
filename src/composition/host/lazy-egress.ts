import type { UndiciEgressOptions } from "../../adapters/http-undici/egress.ts";
import type { Egress } from "../../ports/egress.ts";

export type { UndiciEgressOptions };

/**
 * Makes the one way out (E1–E9): every request is resolved once by the given resolver, every address checked, the
 * socket pinned; redirects are refused and proxy variables never read. undici is loaded with the first request.
 */
export function createUndiciEgress(options: UndiciEgressOptions): Egress {
  let made: Promise<Egress> | undefined;
  let closed: Promise<void> | undefined;
  const load = (): Promise<Egress> => {
    made ??= import("../../adapters/http-undici/egress.ts").then((adapter) =>
      adapter.createUndiciEgress(options),
    );
    return made;
  };
  const close = (): Promise<void> => {
    // One that was never used is closed all the same: a later request has to be refused.
    closed ??= load().then((egress) => egress.close());
    return closed;
  };
  return {
    fetch: async (target, request, call) => (await load()).fetch(target, request, call),
    close,
    [Symbol.asyncDispose]: close,
  };
}
