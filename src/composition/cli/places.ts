import { resolve } from "node:path";

import { DEFINITION_SOURCES } from "../../domain/definition/definition.ts";
import { CONFIG_FORMATS, isConfigFormat } from "../../domain/definition/foreign/format.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ConfigPlace } from "../../ports/config-source.ts";
import type { UsageProblem } from "./usage-problem.ts";

/** Reads `SOURCE[+FORMAT]:FILE` of each `--config`, relative to `folder`. A file that was named has to be there. */
export function configPlaces(
  written: readonly string[],
  folder: string,
  folders: NonNullable<ConfigPlace["folders"]> = {},
): Outcome<readonly ConfigPlace[], UsageProblem> {
  const places: ConfigPlace[] = [];
  for (const place of written) {
    const seam = place.indexOf(":");
    const [name, format, ...more] = place.slice(0, seam).split("+");
    const source = DEFINITION_SOURCES.find((known) => known === name);
    if (source === undefined || seam === place.length - 1 || more.length > 0) {
      return refuse(
        `--config takes SOURCE[+FORMAT]:FILE, where SOURCE is one of ${DEFINITION_SOURCES.join(", ")}`,
      );
    }
    if (format !== undefined && !isConfigFormat(format)) {
      return refuse(`--config knows these formats: ${CONFIG_FORMATS.join(", ")}`);
    }
    const path = resolve(folder, place.slice(seam + 1));
    places.push({ source, path, optional: false, folders, ...(format !== undefined && { format }) });
  }
  return accept(places);
}
