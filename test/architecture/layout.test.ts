import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

// What the linter cannot see. The direction of imports and circles are its rules (oxlint.config.ts).

const SOURCE = join(import.meta.dirname, "../../src");
const PAGES = join(import.meta.dirname, "../../dashboard/src");
const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const files = listFiles(SOURCE);
const textOf = (name: string) => readFileSync(join(SOURCE, name), "utf8");

/** The imports of a file. `isLazy`: when it needs the other file, not when it starts. */
function importsOf(from: string): { from: string; to: string; isLazy: boolean }[] {
  const imports = readFileSync(from, "utf8").matchAll(/( from |\bimport\()"(\.[^"]+|#src\/[^"]+)"/g);
  return Array.from(imports, ([, word, specifier = ""]) => ({
    from,
    to: specifier.startsWith("#") ? join(SOURCE, specifier.slice("#src/".length)) : join(dirname(from), specifier),
    isLazy: word === "import(",
  }));
}

describe("the source tree", () => {
  it("has SQL in stores only", () => {
    // A Durable Object's own tables belong to its folder.
    const STORE =
      /(^|\/)store(\.ts$|\/)|^(platform\/(database|outbox)|click-log\/log)\/|^platform\/rate-limit\/limiter\.ts$/;
    const SQL = /\b(SELECT [\w*(]|INSERT (OR \w+ )?INTO |UPDATE \w+ (INDEXED|NOT INDEXED|SET) |DELETE FROM )/;
    expect(files.filter((name) => !STORE.test(name) && SQL.test(textOf(name)))).toEqual([]);
  });

  it("has Hono's context in routes, their responses and middleware only", () => {
    const WIRE = /(^|\/)([\w-]*routes|middleware|responses|app)\.ts$|^(platform\/http|access\/guards)\//;
    const takesContext = /from "hono(\/[\w-]+)?"|RouteHandler/;
    expect(files.filter((name) => !WIRE.test(name) && takesContext.test(textOf(name)))).toEqual([]);
  });

  it("has no module beside a folder of its name", () => {
    const folders = new Set(files.map((name) => dirname(name)));
    expect(files.filter((name) => folders.has(name.slice(0, -".ts".length)))).toEqual([]);
  });

  it("has no file of a few lines that is read with one other file only", () => {
    // What a room has by these names. What is loaded on demand cannot be a part of the file that loads it.
    const OF_A_ROOM = /(^|\/)(routes|[\w-]*contract|limits)\.ts$|\.d\.ts$/;
    const EXCEPTIONS = [
      // The only query of its room: SQL is in stores only.
      "moving/exports/account/store.ts",
    ];
    const importers = [
      ...files.map((name) => join(SOURCE, name)),
      ...listFiles(PAGES).map((name) => join(PAGES, name)),
    ];
    const imports = Map.groupBy(importers.flatMap(importsOf), ({ to }) => to);
    const isAlone = (name: string) => {
      const found = imports.get(join(SOURCE, name)) ?? [];
      return new Set(found.map(({ from }) => from)).size === 1 && !found.every(({ isLazy }) => isLazy);
    };
    const short = files.filter((name) => textOf(name).trimEnd().split("\n").length < 20);
    expect(short.filter((name) => !OF_A_ROOM.test(name) && isAlone(name)).toSorted()).toEqual(EXCEPTIONS);
  });
});
