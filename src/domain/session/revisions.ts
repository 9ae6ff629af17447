/** The revision without handshake, where every request stands for itself. */
export const MODERN_REVISION = "2026-07-28";

/**
 * Revisions with an `initialize` handshake that are spoken, newest (the one offered) first. 2024-10-07 was
 * a draft that no published server needs; the official client would accept it.
 */
export const LEGACY_REVISIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
