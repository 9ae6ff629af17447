import { baseEnvironment } from "../../domain/launch/base-environment.ts";
import type { HostSettings } from "./default-parts.ts";

/** What every program of a server gets, whatever its definition says (M3). */
export function childEnvironment({
  environment,
  environmentNames,
}: HostSettings): ReadonlyMap<string, string> {
  return baseEnvironment(environment, { platform: process.platform, names: environmentNames });
}
