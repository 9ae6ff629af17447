import * as v from "valibot";

import { DEFINITION_SOURCES } from "../definition/definition.ts";
import { isServerName } from "../names.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import type { ApprovalRecord, ApprovalSnapshot } from "./approval.ts";
import { APPROVALS_VERSION, approvalKey } from "./approval-records.ts";

/** Records a document may hold; a few thousand servers in a few workspaces stay far below. */
export const APPROVAL_RECORDS_LIMIT = 10_000;

/** A server with 128 arguments and as many headers or variables stays below. */
const COVERED_FIELDS_LIMIT = 2_048;
/** A configured text has 16,384 characters at most (D5), each up to eight when it is shown escaped (D16). */
const SHOWN_LIMIT = 131_072;
const PATH_LIMIT = 4_096;

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = v.pipe(v.string(), v.check(isServerName));
const path = v.pipe(v.string(), v.maxLength(PATH_LIMIT));
const source = v.picklist(DEFINITION_SOURCES);
const keys = v.pipe(v.array(v.pipe(v.string(), v.maxLength(PATH_LIMIT))), v.maxLength(COVERED_FIELDS_LIMIT));

const subject = v.strictObject({
  serverId: name,
  source,
  provenance: v.strictObject({ kind: source, origin: path, fingerprint: digest }),
  securityIdentity: digest,
  workspace: v.exactOptional(v.strictObject({ repositoryIdentity: digest, generation: count })),
});

const launch = v.strictObject({
  executable: path,
  cwd: path,
  envKeys: keys,
  codeChangingEnvKeys: keys,
  allowShell: v.boolean(),
});

const covered = v.strictObject({
  path: v.pipe(v.string(), v.maxLength(PATH_LIMIT)),
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  shown: v.pipe(v.string(), v.maxLength(SHOWN_LIMIT)),
});

const record = v.strictObject({
  decision: v.picklist(["approved", "rejected", "revoked"]),
  // `project` and `plugin` are not in the list: a record that claims them makes the document foreign (A4).
  authority: v.picklist(["managed", "user", "local"]),
  subject,
  launch: v.exactOptional(launch),
  covered: v.pipe(v.array(covered), v.maxLength(COVERED_FIELDS_LIMIT)),
  decidedAtMs: count,
});

const versioned = v.object({ version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
const approvals = v.strictObject({
  version: v.literal(APPROVALS_VERSION),
  records: v.pipe(v.array(record), v.maxLength(APPROVAL_RECORDS_LIMIT)),
});

/**
 * Decodes what a file holds. Strict: an unknown key, a wrong type, two records under one key (A5) make the whole document
 * `store-corrupt`. Nothing is skipped, since a rejection that is skipped would let the server in.
 */
export function decodeApprovalDocument(
  value: unknown,
): Outcome<ApprovalSnapshot, "store-corrupt" | "store-too-new"> {
  const header = v.safeParse(versioned, value);
  if (!header.success) return refuse("store-corrupt");
  if (header.output.version > APPROVALS_VERSION) return refuse("store-too-new");
  const document = v.safeParse(approvals, value, { abortEarly: true });
  if (!document.success) return refuse("store-corrupt");
  const records: readonly ApprovalRecord[] = document.output.records;
  if (new Set(records.map(approvalKey)).size !== records.length) return refuse("store-corrupt");
  return accept({ records });
}

/**
 * Checks one record before it is written.
 *
 * @throws TypeError with code `approval-record-invalid`: written, it would make the file unreadable.
 */
export function checkApprovalRecord(value: ApprovalRecord): void {
  if (v.is(record, value)) return;
  throw Object.assign(new TypeError("not an approval record"), { code: "approval-record-invalid" });
}
