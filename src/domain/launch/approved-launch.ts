declare const APPROVED: unique symbol;

/** A launch that passed every check of X2 and X3. Only `checkLaunch` makes one. Printing it shows no value. */
export interface ApprovedLaunch {
  readonly [APPROVED]: true;
  readonly executable: string;
  readonly argv0: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's whole environment. */
  readonly environment: ReadonlyMap<string, string>;
}
