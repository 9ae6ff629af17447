export interface LaunchParts {
  readonly executable: string;
  readonly argv0: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's whole environment. */
  readonly environment: ReadonlyMap<string, string>;
  /** What the files were at admission, to be compared again before the spawn (X3). */
  readonly identities: { readonly executable: string; readonly cwd: string };
}

/**
 * A launch that passed every check of X2. Only `checkLaunch` makes one. Arguments and environment may hold
 * secrets, so they are behind getters over a private field: printing or serialising one shows neither.
 */
class SealedLaunch implements LaunchParts {
  readonly #parts: LaunchParts;

  constructor(parts: LaunchParts) {
    this.#parts = parts;
  }

  static is(value: unknown): value is SealedLaunch {
    return typeof value === "object" && value !== null && #parts in value;
  }

  get executable(): string {
    return this.#parts.executable;
  }

  get argv0(): string {
    return this.#parts.argv0;
  }

  get args(): readonly string[] {
    return this.#parts.args;
  }

  get cwd(): string {
    return this.#parts.cwd;
  }

  get environment(): ReadonlyMap<string, string> {
    return this.#parts.environment;
  }

  get identities(): LaunchParts["identities"] {
    return this.#parts.identities;
  }

  toString(): string {
    return "[approved launch]";
  }

  toJSON(): string {
    return "[approved launch]";
  }

  static {
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(SealedLaunch.prototype, inspect, { value: () => "[approved launch]" });
  }
}

export type ApprovedLaunch = SealedLaunch;

/** For `checkLaunch` alone. */
export function approveLaunch(parts: LaunchParts): ApprovedLaunch {
  return new SealedLaunch(parts);
}

/** Whether it is a launch that `checkLaunch` approved, and not an object of the same shape. */
export function isApprovedLaunch(value: unknown): value is ApprovedLaunch {
  return SealedLaunch.is(value);
}
