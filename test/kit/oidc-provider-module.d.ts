/** What the tests use of oidc-provider, which comes without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface OidcContext {
    readonly oidc?: { readonly params?: Readonly<Record<string, unknown>> };
  }

  export interface InteractionDetails {
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly session?: { readonly accountId: string };
  }

  export interface OidcToken {
    readonly aud?: string;
    readonly scope?: string;
    destroy(): Promise<void>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (context: OidcContext, error?: Error) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant;
    readonly AccessToken: { find(token: string): Promise<OidcToken | undefined> };
    readonly RefreshToken: { find(token: string): Promise<OidcToken | undefined> };
  }
}
