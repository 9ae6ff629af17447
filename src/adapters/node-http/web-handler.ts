/** What answers an admitted request. It is never told where the request came from, nor its token. */
export interface WebHandler {
  readonly fetch: (request: Request, context: WebCallContext) => Promise<Response>;
  readonly close: () => Promise<void>;
}

export interface WebCallContext {
  readonly caller: string;
  /** Aborts when the client is gone, or the listener stops. Ends this call and no other. */
  readonly signal: AbortSignal;
  /** Whether the client has not yet read what was written: hints need not be added to it. */
  readonly isBehind?: () => boolean;
  /** The JSON of the body; the request has none then. Left out where the body is no JSON, or of another type. */
  readonly parsedBody?: unknown;
}
