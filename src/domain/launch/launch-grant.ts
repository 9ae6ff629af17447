/** What a definition asks to start. Environment keys only: no value is read before the authority said yes (X1). */
export interface LaunchRequest {
  readonly serverId: string;
  readonly fingerprint: string;
  /** As configured: may be a bare name that the authority maps to an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly envKeys: readonly string[];
}

/** What the host allows for exactly this request. */
export interface LaunchGrant {
  /** Canonical absolute folder that the working directory has to be inside of, and its default. */
  readonly root: string;
  /** Canonical absolute path of the executable file. */
  readonly executable: string;
  /** `argv[0]` for the child, for programs that look at the name they were called by. */
  readonly argv0: string;
  /** The exact argument vectors that may be used; the request's `args` has to be one of them. */
  readonly argumentVectors: readonly (readonly string[])[];
  /** The child's whole environment, apart from the definition's allowed keys. */
  readonly environment: ReadonlyMap<string, string>;
  /** Definition env keys that may pass. */
  readonly allowedEnvKeys: readonly string[];
  /** Those among them that change which code runs and are allowed by name. */
  readonly allowedCodeChangingKeys: readonly string[];
  readonly allowShell: boolean;
  /** Changes whenever the authority's answers may have changed; compared again right before the spawn (X3). */
  readonly generation: string;
}
