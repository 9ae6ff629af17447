import type { LoginOptions } from "../../src/composition/client.ts";

/**
 * A browser for a person who always says yes: asks for the page, follows nothing, and answers where the
 * authorization server sends it back to. Not our egress: a browser is not a part of us.
 */
export async function askForRedirect(
  authorizationUrl: string,
  options: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const answer = await fetch(authorizationUrl, { redirect: "manual", signal: options.signal });
  await answer.body?.cancel();
  return answer.headers.get("location") ?? undefined;
}

/** The two ends of a sign-in where nothing listens: what the browser is sent to is handed over as if pasted. */
export function createPastingPerson(redirectUri: string): Pick<LoginOptions, "receiver" | "showPage"> {
  const { promise: received, resolve } = Promise.withResolvers<string>();
  return {
    receiver: {
      open: async () => ({ ok: true, value: { redirectUri, received, close: async () => undefined } }),
    },
    showPage: async (authorizationUrl, options) => {
      const redirect = await askForRedirect(authorizationUrl, options);
      if (redirect !== undefined) resolve(redirect);
      return redirect !== undefined;
    },
  };
}
