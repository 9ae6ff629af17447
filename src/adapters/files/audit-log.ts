import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

import type { AuditEvent } from "../../domain/activation/audit-event.ts";
import { AUDIT_LINE_LIMIT_BYTES } from "../../domain/activation/audit-event.ts";
import { HostFault } from "../../domain/fault.ts";
import type { AuditLog, AuditSink } from "../../ports/audit-sink.ts";
import { checkOwnerOnlyFolder, ensureOwnerOnlyFolder, openOwnerOnlyFile } from "./owner-only.ts";

const FILE_NAME = "audit.jsonl";
const LINE_END = 0x0a;
const CHUNK_BYTES = 64 * 1024;

export interface FileAuditLogOptions {
  /** Sallyport's home: outside every workspace. Holds `audit.jsonl`, mode 0600. */
  readonly folder: string;
}

/**
 * Keeps the audit log as JSON lines, one write an event, so that several processes can append without a lock and no line is
 * torn. Faults of the machine reject with `HostFault` `audit-failed`.
 */
export function createFileAuditLog(options: FileAuditLogOptions): AuditSink & AuditLog {
  // One at a time, so that the log of one process is in the order in which it was asked to append.
  let last: Promise<unknown> = Promise.resolve();
  return {
    append: async (event) => {
      const { encodeAuditEvent } = await lines();
      const line = encodeAuditEvent(event);
      const written = last.then(() => orFault(() => appendTo(options.folder, line)));
      last = written.catch(() => undefined);
      return written;
    },
    events: (call) => readEvents(options.folder, call),
  };
}

/** The closed form of a line is loaded with the first event: listing appends none. */
function lines(): Promise<typeof import("../../domain/activation/audit-line.ts")> {
  return import("../../domain/activation/audit-line.ts");
}

async function appendTo(folder: string, line: string): Promise<void> {
  await using file = await openLog(folder, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  if (file === undefined) throw new HostFault("audit-failed");
  await appendLine(file, line);
}

async function appendLine(file: FileHandle, line: string): Promise<void> {
  // A process that died in the middle of a line, or a disk that was full, must not swallow the next one too.
  const bytes = Buffer.from((await endsInsideLine(file)) ? `\n${line}\n` : `${line}\n`);
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten !== bytes.length) throw new HostFault("audit-failed");
}

async function endsInsideLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== LINE_END;
}

async function* readEvents(
  folder: string,
  call: Parameters<AuditLog["events"]>[0],
): AsyncGenerator<AuditEvent> {
  await using file = await orFault(() => openLog(folder, constants.O_RDONLY));
  if (file === undefined) return;
  const { decodeAuditLine } = await lines();
  for await (const line of readLines(file, call.signal)) {
    const event = line === undefined ? undefined : decodeAuditLine(line);
    if (event === undefined) call.onUnreadable?.();
    else yield event;
  }
}

/** Lines that are not empty; `undefined` for one that is longer than any of ours, which is never held as a whole. */
async function* readLines(file: FileHandle, signal: AbortSignal): AsyncGenerator<string | undefined> {
  let rest = Buffer.alloc(0);
  let tooLong = false;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await orFault(() => file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES));
    let from = 0;
    const chunk = buffer.subarray(0, bytesRead);
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([rest, chunk.subarray(from, end)]);
      if (tooLong || line.length >= AUDIT_LINE_LIMIT_BYTES) yield undefined;
      else if (line.length > 0) yield line.toString("utf8");
      rest = Buffer.alloc(0);
      tooLong = false;
      from = end + 1;
    }
    if (bytesRead === 0) break;
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length >= AUDIT_LINE_LIMIT_BYTES) {
      rest = Buffer.alloc(0);
      tooLong = true;
    }
  }
  if (tooLong) yield undefined;
  else if (rest.length > 0) yield rest.toString("utf8");
}

async function openLog(folder: string, flags: number): Promise<FileHandle | undefined> {
  const writes = (flags & constants.O_CREAT) !== 0;
  const checked = writes ? await ensureOwnerOnlyFolder(folder) : await checkOwnerOnlyFolder(folder);
  if (!checked.ok) throw new HostFault("audit-failed");
  if (checked.value === undefined) return undefined;
  const opened = await openOwnerOnlyFile(join(checked.value, FILE_NAME), flags);
  if (!opened.ok) throw new HostFault("audit-failed");
  return opened.value;
}

async function orFault<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HostFault ? error : new HostFault("audit-failed", { cause: error });
  }
}
