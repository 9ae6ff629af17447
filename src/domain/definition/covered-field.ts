/** One field that the fingerprint covers, as it may be stored and shown: no secret, and none hashed (D15). */
export interface CoveredField {
  /** Such as `command`, `args[2]`, `env.NODE_OPTIONS`, `url`, `headers.authorization`, `timeout`. */
  readonly path: string;
  /** Digest of the field's canonical encoding, secret stretches replaced by their markers. 16 hex digits. */
  readonly digest: string;
  /** The projected form: readable fields with secrets masked, `[redacted]` for env and header values. */
  readonly shown: string;
}
