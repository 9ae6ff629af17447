import type { ApprovalAuthority, ApprovalRecord, ApprovalSnapshot } from "./approval.ts";

/** Heavier authorities win over lighter ones (A4). */
export const AUTHORITY_WEIGHT: Readonly<Record<ApprovalAuthority, number>> = {
  managed: 3,
  user: 2,
  local: 1,
};

/** Version word of the document. A larger one was written by a later Sallyport. */
export const APPROVALS_VERSION = 1;

/** What a record is stored under (A5): server id, authority, repository identity. */
export function approvalKey(record: ApprovalRecord): string {
  const { serverId, workspace } = record.subject;
  // JSON keeps the three apart whatever characters a server id is made of.
  return JSON.stringify([serverId, record.authority, workspace?.repositoryIdentity ?? null]);
}

/** Adds the record, or puts it in the place of the one with the same key (A5). Sorted by key, so that files read well. */
export function withRecord(snapshot: ApprovalSnapshot, record: ApprovalRecord): ApprovalSnapshot {
  const records = new Map(snapshot.records.map((known) => [approvalKey(known), known]));
  records.set(approvalKey(record), record);
  const sorted = [...records].toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return { records: sorted.map(([, known]) => known) };
}

const BY_SERVER = new WeakMap<ApprovalSnapshot, ReadonlyMap<string, readonly ApprovalRecord[]>>();

/** The records of one server. Grouped once a snapshot, so that looking at n servers stays linear. */
export function recordsOf(snapshot: ApprovalSnapshot, serverId: string): readonly ApprovalRecord[] {
  let groups = BY_SERVER.get(snapshot);
  if (groups === undefined) {
    groups = grouped(snapshot.records);
    BY_SERVER.set(snapshot, groups);
  }
  return groups.get(serverId) ?? [];
}

function grouped(records: readonly ApprovalRecord[]): ReadonlyMap<string, readonly ApprovalRecord[]> {
  const groups = new Map<string, ApprovalRecord[]>();
  for (const record of records) {
    const group = groups.get(record.subject.serverId);
    if (group === undefined) groups.set(record.subject.serverId, [record]);
    else group.push(record);
  }
  return groups;
}

/** The document as it is written: readable, one version word, nothing that the decoder would not take back. */
export function approvalDocument(snapshot: ApprovalSnapshot): {
  readonly version: number;
  readonly records: readonly ApprovalRecord[];
} {
  return { version: APPROVALS_VERSION, records: snapshot.records };
}
