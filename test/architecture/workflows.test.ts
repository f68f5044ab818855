import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@actions/languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = globSync([".github/workflows/*.yml", "examples/deploy/*.yml"], { cwd: ROOT }).toSorted();

/** What GitHub's own checker finds in a workflow. It asks no network. */
async function faultsIn(file: string, text: string): Promise<string[]> {
  const document = TextDocument.create(`file:///.github/workflows/${file.split("/").at(-1)}`, "yaml", 1, text);
  const faults = await validate(document);
  return faults.map(
    ({ range, message }) => `${file}:${range.start.line + 1}: ${typeof message === "string" ? message : message.value}`,
  );
}

it.each(FILES)("%s is a workflow as GitHub understands it", async (file) => {
  expect(await faultsIn(file, readFileSync(join(ROOT, file), "utf8"))).toEqual([]);
});

it("the checker finds unknown keys, jobs and values", async () => {
  const text = `on:
  push:
    brnches: [main]
jobs:
  first:
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ github.evnt }}
        shel: bash
  second:
    runs-on: ubuntu-latest
    needs: frist
    steps:
      - run: "true"
`;
  const lines = (await faultsIn("wrong.yml", text)).map((fault) => Number(fault.split(":")[1]));
  expect(new Set(lines)).toEqual(new Set([3, 8, 9, 12]));
});
