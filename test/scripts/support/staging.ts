import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/wrangler.ts";

/** The environment that docs/self-hosting.md adds to wrangler.toml. */
export function stagingRecipe(): string {
  const page = readFileSync(join(ROOT, "docs/self-hosting.md"), "utf8");
  const [, recipe] = /^## A second installation[^]*?```toml\n([^]*?)```/m.exec(page) ?? [];
  if (recipe === undefined) throw new Error("docs/self-hosting.md has no recipe for a second installation");
  return `\n${recipe}`;
}
