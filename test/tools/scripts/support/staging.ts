import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../../tools/scripts/wrangler.ts";

/** The environment that docs/second-installation.md adds to deploy.toml. */
export function stagingRecipe(): string {
  const page = readFileSync(join(ROOT, "docs/second-installation.md"), "utf8");
  const [, recipe] = /^```toml\n([^]*?)```/m.exec(page) ?? [];
  if (recipe === undefined) throw new Error("docs/second-installation.md has no recipe for a second installation");
  return `\n${recipe}`;
}
