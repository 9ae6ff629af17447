/** For making what nobody can guess. */
export interface Random {
  /** Cryptographically strong bytes. */
  bytes(count: number): Uint8Array;
}
