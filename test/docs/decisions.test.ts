import { globSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../e2e/support/build.ts";
import { readPage } from "./support/pages.ts";

const INDEX = "docs/adr/README.md";
const PAGES = globSync("docs/adr/[0-9]*.md", { cwd: ROOT }).sort();

/** The link of the index to the page, such as `[0006 Events are written …](0006-outbox.md)`. */
function toLink(page: string): string {
  const [, number, title] = /^# (\d{4})\. (.+)\n/.exec(readPage(page)) ?? [];
  return `[${number} ${title}](${basename(page)})`;
}

const linksIn = (text: string) => text.match(/\[[^\]]+\]\([^)]+\)/g) ?? [];

describe("the index of the decisions", () => {
  const [questions = "", superseded = "", ...rest] = readPage(INDEX).split(/^## Superseded$/m);

  it("has each decision once, with its title, under a question", () => {
    expect(PAGES.length).toBeGreaterThan(50);
    expect(linksIn(readPage(INDEX)).sort()).toEqual(PAGES.map(toLink));
    const items = readPage(INDEX).match(/^- .*(\n {2}.*)*/gm) ?? [];
    for (const item of items) expect(item).toMatch(/^- \*\*[A-Z][^*]+\?\*\*\n {2}[^]*\[\d{4} /);
    expect(items.flatMap(linksIn)).toHaveLength(PAGES.length);
  });

  it("has those that are superseded at its end, and only those", () => {
    expect(rest).toEqual([]);
    const isSuperseded = (page: string) => /^Superseded[.:]/m.test(readPage(page));
    expect(linksIn(superseded).sort()).toEqual(PAGES.filter(isSuperseded).map(toLink));
    expect(linksIn(questions).sort()).toEqual(PAGES.filter((page) => !isSuperseded(page)).map(toLink));
    expect(superseded).not.toMatch(/^#/m);
  });
});
