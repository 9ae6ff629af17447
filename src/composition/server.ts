/**
 * `sallyport/server`: serving an agent session over MCP. So far this holds the shape of what is served; the
 * carriers arrive with the serving work.
 *
 * @module
 */
export type { JsonSchema } from "../domain/catalog/catalog.ts";
