/** For turning a host name into addresses, once an exchange. Never called for literals or loopback names. */
export interface Resolver {
  /**
   * Every A and AAAA answer, as text, in the order they should be tried. An empty list means that the name
   * does not resolve; a rejection (other than with `signal.reason`) that resolving itself failed.
   */
  resolve(host: string, options: { readonly signal: AbortSignal }): Promise<readonly string[]>;
}
