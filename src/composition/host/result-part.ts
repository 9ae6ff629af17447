import type { KeptResult } from "../../domain/catalog/spilled-result.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import type { McpHostOptions } from "./host-options.ts";

/** The part of a host that keeps results which are too large to hand over (K7). Touches no file until one is. */
export interface ResultPart {
  readonly spill: ResultSpill;
  read(reference: string, signal: AbortSignal): Promise<Outcome<KeptResult, Refusal>>;
}

export function createResultPart(
  options: McpHostOptions,
  settings: HostSettings,
  parts: QuietParts,
): ResultPart {
  let opened: Promise<ResultSpill> | undefined;
  const open = (): Promise<ResultSpill> => {
    opened ??= openSpill(options, settings, parts);
    return opened;
  };
  const spill: ResultSpill = {
    store: async (text, call) => (await open()).store(text, call),
    load: async (reference, call) => (await open()).load(reference, call),
  };
  return {
    spill,
    read: async (reference, signal) => {
      const { readResult } = await import("../flows/read-result.ts");
      return readResult(reference, { spill, signal });
    },
  };
}

async function openSpill(
  options: McpHostOptions,
  { home }: HostSettings,
  { clock }: QuietParts,
): Promise<ResultSpill> {
  if (options.parts?.resultSpill !== undefined) return options.parts.resultSpill;
  const { createFileResultSpill } = await import("../../adapters/files/result-spill.ts");
  return createFileResultSpill({ folder: home, clock });
}
