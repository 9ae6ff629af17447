/** Why a host does not listen. */
export const LISTEN_REASONS = ["port-taken", "address-unavailable", "stopped"] as const;

export type ListenReason = (typeof LISTEN_REASONS)[number];

export interface ListenRefusal {
  readonly kind: "listen";
  readonly reason: ListenReason;
}

const SENTENCES: Readonly<Record<ListenReason, string>> = {
  "port-taken": "the port is taken, or only the system may listen on it; choose another, or none",
  "address-unavailable": "this machine has no such address to listen on",
  stopped: "it was stopped before it listened",
};

/** One sentence for a person. */
export function describeListenRefusal({ reason }: ListenRefusal): string {
  return `cannot serve: ${SENTENCES[reason]}`;
}
