import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readWrangler, wrangler } from "../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "../tools/scripts/support/command.ts";
import type { Metafile } from "./support/build.ts";

it("is built without the wing safety by one alias", async () => {
  const folder = temporaryFolder();
  const alias = "#safety:./src/no-safety.ts";
  await readWrangler(wrangler, ["deploy", "--dry-run", "--outdir", folder, "--metafile", "--alias", alias]);
  const { inputs } = JSON.parse(readFileSync(join(folder, "bundle-meta.json"), "utf8")) as Metafile;
  expect(Object.keys(inputs)).toContain("src/no-safety.ts");
  expect(Object.keys(inputs).filter((path) => path.startsWith("src/safety/"))).toEqual([]);
});
