/** What is at a path right now. */
export interface FileFacts {
  /** Canonical path, every symbolic link resolved. */
  readonly realPath: string;
  readonly kind: "file" | "folder" | "other";
  /** Whether this process may execute it (files), or enter it (folders). */
  readonly executable: boolean;
  /** Differs once the file was replaced or rewritten, or the folder replaced. Compared, never shown. */
  readonly identity: string;
}

/** Looks at one path; `undefined`: nothing is there, or it may not be looked at. */
export type Look = (path: string) => Promise<FileFacts | undefined>;
