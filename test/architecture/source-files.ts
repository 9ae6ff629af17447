import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), "../..");

export interface SourceFile {
  /** Relative to `src`, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Static and dynamic import specifiers, exports-from included; comments do not count. */
export function importsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(
    /\b(?:import|export)\b[^"'`;()]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']|\bimport\s*["']([^"']+)["']/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

export function sourceFiles(): readonly SourceFile[] {
  const src = join(ROOT, "src");
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && path !== "inside.d.ts")
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(src, path), "utf8");
      return { path, text, imports: importsOf(text) };
    });
}
