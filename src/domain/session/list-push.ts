/**
 * Whether a server's list changes reach this host as it announces them (V4, H3b).
 *
 * - `off`: nobody asked for them (2026-07-28 has to be asked).
 * - `none`: the server announces none, offers no way to, or did not agree to when it was asked last.
 * - `open`, `waiting`: they come; the stream ended and is opened again after its wait.
 * - `no-push`: given up, because the stream was reopened 30 times within a minute or broke a bound or the protocol.
 */
export type ListPush = "off" | CarrierPush;

/** As far as a connection knows by itself. */
export type CarrierPush = "none" | "open" | "waiting" | "no-push";
