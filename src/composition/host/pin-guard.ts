import type { ActivationSubject } from "../../domain/activation/approval.ts";
import type { DisclosedTool, PinPolicy, ToolChange } from "../../domain/activation/pins.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { HoldReason } from "../../domain/catalog/adapt-reason.ts";
import type { CatalogTool, ServerCatalog } from "../../domain/catalog/catalog.ts";
import { toolDigest } from "../../domain/catalog/definition-digest.ts";
import { holdTools } from "../../domain/catalog/hold-tools.ts";
import { isJsonObject, own } from "../../domain/json-value.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import { shownTool } from "../../domain/catalog/shown-tool.ts";
import { createSecretMask } from "../../domain/definition/known-secrets.ts";
import type { PinStore } from "../../ports/pin-store.ts";
import { checkPins } from "../flows/check-pins.ts";

/** A catalog that was held against the pins of its server (A7). */
export interface GuardedCatalog {
  /** Under `hold` without the tools that differ: those are among the rejected. */
  readonly catalog: ServerCatalog;
  /** By catalog name. */
  readonly held: ReadonlyMap<string, HoldReason>;
  readonly changes: readonly ToolChange[];
  /** Why nobody can say what changed. */
  readonly problem?: StoreRefusal;
}

export interface GuardedServer {
  /** What the live connection was approved as; pins are bound to that and to nothing that was read since. */
  readonly subject: ActivationSubject;
  /** The definition's own secrets: a server may say them back in a description, and that is kept. */
  readonly secrets: readonly string[];
}

/** For holding what a server discloses against its pins. */
export interface PinGuard {
  check(
    server: GuardedServer,
    listed: { readonly catalog: ServerCatalog; readonly tools: readonly unknown[] },
  ): Promise<GuardedCatalog>;
}

const NOTHING_HELD: ReadonlyMap<string, HoldReason> = new Map();

export function createPinGuard(context: {
  readonly policy: PinPolicy;
  readonly pins: PinStore;
  readonly signal: AbortSignal;
}): PinGuard {
  const { policy } = context;
  return {
    check: async ({ subject, secrets }, { catalog, tools }) => {
      if (policy === "off") return { catalog, held: NOTHING_HELD, changes: [] };
      const disclosed = disclosedTools(catalog, tools, createSecretMask(secrets));
      const checked = await checkPins(subject, disclosed, context);
      const changes = checked.ok ? checked.value : [];
      const problem = checked.ok ? {} : { problem: checked.refusal };
      if (policy === "report") return { catalog, held: NOTHING_HELD, changes, ...problem };
      const reasons = new Map(changes.map(({ name, change }) => [name, HOLD[change]]));
      const guarded = holdTools(catalog, ({ sourceName }) =>
        checked.ok ? reasons.get(sourceName) : "pins-unreadable",
      );
      return { ...guarded, changes, ...problem };
    },
  };
}

const HOLD: Readonly<Record<ToolChange["change"], HoldReason>> = {
  changed: "definition-changed",
  new: "definition-new",
};

/** Tools that were admitted, as they came. Of two with one name none was admitted, so that a name means one item. */
function disclosedTools(
  { tools }: ServerCatalog,
  items: readonly unknown[],
  mask: (text: string) => string,
): readonly DisclosedTool[] {
  const byName = new Map<unknown, JsonObject>(
    items.filter(isJsonObject).map((item) => [own(item, "name"), item]),
  );
  return tools.flatMap((tool: CatalogTool): readonly DisclosedTool[] => {
    const item = byName.get(tool.sourceName);
    if (item === undefined) return [];
    const name = tool.sourceName;
    return [{ name, digest: toolDigest(item), describe: () => shownTool(item, mask) }];
  });
}
