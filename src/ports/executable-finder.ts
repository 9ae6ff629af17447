/** For finding the program that a command names, as the person who approves it would. */
export interface ExecutableFinder {
  /**
   * A bare name is looked up on the host's own PATH, a relative path from `cwd`. `undefined`: there is no
   * such executable file.
   */
  find(command: string, cwd: string): Promise<FoundExecutable | undefined>;
}

export interface FoundExecutable {
  /** Absolute path as it was found, symbolic links kept: what the program is told it was called by. */
  readonly foundAt: string;
  /** Canonical path: what an approval fixes. */
  readonly realPath: string;
}
