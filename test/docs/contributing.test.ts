import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../e2e/support/build.ts";
import { blocksOf, codeSpansOf, readPage } from "./support/pages.ts";

const PAGE = "CONTRIBUTING.md";
const EXAMPLE_LINES = 80;

/** The parts of a feature, in the order in which one is built. */
const PARTS = [
  /\/contract\.ts$/,
  /\/routes\.ts$/,
  /^src\/.*\/(?!contract|routes|store)[\w-]+\.ts$/,
  /\/store\.ts$/,
  /\.test\.ts$/,
];

function sectionOf(heading: string): string {
  const [, section = ""] = readPage(PAGE).split(`\n## ${heading}\n`);
  return section.split("\n## ")[0] ?? "";
}

describe("the example of how a feature is built", () => {
  const quotes = blocksOf(PAGE)
    .filter(({ language }) => language === "ts")
    .map(({ flags: [file = ""], text }) => ({ file, text }));

  it("is code of these files, each paragraph word for word", () => {
    for (const { file, text } of quotes) {
      const code = readFileSync(join(ROOT, file), "utf8");
      for (const paragraph of text.trimEnd().split("\n\n")) expect(code, file).toContain(`\n${paragraph}\n`);
    }
  });

  it("goes from the contract to the test, in fewer than 80 lines", () => {
    expect(quotes).toHaveLength(PARTS.length);
    for (const [index, part] of PARTS.entries()) expect(quotes[index]?.file).toMatch(part);
    const lines = quotes.flatMap(({ text }) => text.trimEnd().split("\n"));
    expect(lines.length).toBeLessThan(EXAMPLE_LINES);
    for (const { text } of quotes) expect(sectionOf("How a feature is built")).toContain(text);
  });
});

it("the files to read first are twelve that exist", () => {
  const items = sectionOf("The twelve files to read first").match(/^\d+\. `[^`]+`: .+\.$/gm) ?? [];
  const files = items.map((item) => codeSpansOf(item)[0] ?? "");
  expect(new Set(files).size).toBe(12);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
