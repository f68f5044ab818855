import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, runScript } from "./support/command.ts";

test("the documents are built when one has changed, and otherwise stay as they are", async () => {
  const clone = copyProject("dist");
  const built = join(clone, "dist/documents/docs/api/links.md");
  const build = async () => {
    expect(await runScript("build-documents.ts", [], {}, clone)).toEqual({ exitCode: 0, output: "", errors: "" });
    return readFileSync(built, "utf8");
  };
  writeFileSync(built, "as it is");
  expect(await build()).toBe("as it is");
  appendFileSync(join(clone, "docs/api/links.md"), "\nA new sentence.\n");
  expect(await build()).toMatch(/^# Links\n[^]*\nA new sentence\.\n$/);
});
