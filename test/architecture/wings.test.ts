import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LAYERS } from "../../src/layers.ts";

const ROOT = join(import.meta.dirname, "../..");
const README_LINES = 25;

const isWing = (entry: string) => !entry.endsWith(".ts");
const WINGS = LAYERS.flatMap((entries, layer) => entries.filter(isWing).map((wing) => ({ wing, layer })));

const spansOf = (text: string) => Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = ""]) => span);

/** Whether a span is a path of a file or a folder, and not a path of a URL or a word. */
const isPath = (span: string) => /^[\w-][\w./*-]*$/.test(span) && /\/|\.(ts|sql)$/.test(span);

/** Paths are those in the wing or in one of its features, or begin at the root. */
function isThere(wing: string, path: string): boolean {
  const patterns = /^src\/|^schema\.sql$/.test(path) ? [path] : [`src/${wing}/${path}`, `src/${wing}/*/${path}`];
  return globSync(patterns, { cwd: ROOT }).length > 0;
}

describe.each(WINGS)("the README.md of the wing $wing", ({ wing, layer }) => {
  const text = readFileSync(join(ROOT, `src/${wing}/README.md`), "utf8");

  it("is short", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(README_LINES);
  });

  it("names files that exist, and each folder of the wing", () => {
    const paths = spansOf(text).filter(isPath);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !isThere(wing, path))).toEqual([]);
    const folders = readdirSync(join(ROOT, "src", wing), { withFileTypes: true }).filter((each) => each.isDirectory());
    const named = new Set(spansOf(text).flatMap((span) => span.split("/")));
    expect(folders.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it("says which wings may import it, as the layers do", () => {
    const [, importers = ""] = /May be imported by ([^.]+)\./.exec(text) ?? [];
    const higher = WINGS.filter((other) => other.layer > layer).map((other) => other.wing);
    if (higher.length === 0) expect(importers).toBe("no other wing");
    else if (higher.length === WINGS.length - 1) expect(importers).toBe("every other wing");
    else expect(spansOf(importers).sort()).toEqual(higher.sort());
  });
});
