import * as v from "valibot";

import { SHOWN_TOOL_LIMIT } from "../catalog/shown-tool.ts";
import { isServerName } from "../names.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import { PINS_VERSION } from "./pins.ts";
import type { PinSet } from "./pins.ts";

/** Tools of one list (K1), and those of an earlier one that are gone. */
const TOOLS_LIMIT = 40_000;
const NAME_LIMIT = 1_024;

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const versioned = v.object({ version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
const pins = v.strictObject({
  version: v.literal(PINS_VERSION),
  serverId: v.pipe(v.string(), v.check(isServerName)),
  repositoryIdentity: v.exactOptional(digest),
  fingerprint: digest,
  tools: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.minLength(1), v.maxLength(NAME_LIMIT)),
        digest,
        shown: v.pipe(v.string(), v.maxLength(SHOWN_TOOL_LIMIT)),
      }),
    ),
    v.maxLength(TOOLS_LIMIT),
  ),
});

/** Decodes what a file holds. Strict: a pin that is skipped would make a changed tool a new one, or none. */
export function decodePinDocument(value: unknown): Outcome<PinSet, "store-corrupt" | "store-too-new"> {
  const header = v.safeParse(versioned, value);
  if (!header.success) return refuse("store-corrupt");
  if (header.output.version > PINS_VERSION) return refuse("store-too-new");
  const document = v.safeParse(pins, value, { abortEarly: true });
  if (!document.success) return refuse("store-corrupt");
  const { version: _, fingerprint, tools, ...key } = document.output;
  const names = new Set(tools.map(({ name }) => name));
  return names.size === tools.length ? accept({ key, fingerprint, tools }) : refuse("store-corrupt");
}
