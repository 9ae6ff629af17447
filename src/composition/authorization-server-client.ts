import type { AuthorizationServerOptions } from "../adapters/oauth4webapi/authorization-server.ts";
import type { AuthorizationServer } from "../ports/authorization-server.ts";

export type { AuthorizationServerOptions };

/**
 * Makes the client of authorization servers: every byte leaves through the given egress, answers are bounded and
 * read strictly, nothing is redirected. The library behind it is loaded with the first question.
 */
export function createAuthorizationServerClient(options: AuthorizationServerOptions): AuthorizationServer {
  let made: Promise<AuthorizationServer> | undefined;
  const client = (): Promise<AuthorizationServer> => {
    made ??= import("../adapters/oauth4webapi/authorization-server.ts").then((adapter) =>
      adapter.createAuthorizationServerClient(options),
    );
    return made;
  };
  return {
    fetchChallenge: async (url, call) => (await client()).fetchChallenge(url, call),
    fetchDocument: async (url, call) => (await client()).fetchDocument(url, call),
    register: async (request, call) => (await client()).register(request, call),
    exchangeCode: async (grant, call) => (await client()).exchangeCode(grant, call),
    refresh: async (grant, call) => (await client()).refresh(grant, call),
    requestClientCredentials: async (grant, call) => (await client()).requestClientCredentials(grant, call),
    revoke: async (request, call) => (await client()).revoke(request, call),
  };
}
