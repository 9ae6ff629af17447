import { built } from "./measure.ts";

/** The built entry points, as a user gets them; their types from the source, so that checking needs no build. */
export const node: typeof import("../src/composition/node.ts") = await import(built("node.mjs"));
export const client: typeof import("../src/composition/client.ts") = await import(built("client.mjs"));
