import { resolve } from "node:path";

import { DEFINITION_SOURCES } from "../../domain/definition/definition.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ConfigPlace } from "../../ports/config-source.ts";
import type { UsageProblem } from "./usage-problem.ts";

/** Reads `SOURCE:FILE` of each `--config`, relative to `folder`. A file that was named has to be there. */
export function configPlaces(
  written: readonly string[],
  folder: string,
): Outcome<readonly ConfigPlace[], UsageProblem> {
  const places: ConfigPlace[] = [];
  for (const place of written) {
    const seam = place.indexOf(":");
    const source = DEFINITION_SOURCES.find((name) => name === place.slice(0, seam));
    if (source === undefined || seam === place.length - 1) {
      return refuse(`--config takes SOURCE:FILE, where SOURCE is one of ${DEFINITION_SOURCES.join(", ")}`);
    }
    places.push({ source, path: resolve(folder, place.slice(seam + 1)), optional: false });
  }
  return accept(places);
}
