/**
 * - `opened`: the page was handed to the person's browser; whether they look at it is not known.
 * - `refused`: no browser may be started for such a URL; nothing was started.
 * - `failed`: there is no browser to start, or it could not be started.
 */
export type PageOpening = "opened" | "refused" | "failed";

/** For showing a page in the person's own browser. */
export interface PageOpener {
  /** Rejects only with `signal.reason`. */
  open(url: string, options: { readonly signal: AbortSignal }): Promise<PageOpening>;
}
