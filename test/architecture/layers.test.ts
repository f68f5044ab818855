import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import linter from "../../oxlint.config.ts";
import { LAYERS } from "../../src/layers.ts";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "src");
const PAGES = join(ROOT, "dashboard/src");
const RULE = "eslint/no-restricted-imports";
const IMPORT = /^(import|export) (type )?[^;]*?from "([.#][^"]+)"|\bimport\("([.#][^"]+)"\)/gm;

interface Override {
  files: string[];
  rules: { [RULE]?: ["error", { patterns: { regex: string; message: string }[] }] };
}

/** An import of a file. The paths are relative to the folder `root`. */
interface Import {
  from: string;
  to: string;
  isType: boolean;
}

function listImports(root: string): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  return files.flatMap((from) =>
    Array.from(readFileSync(join(root, from), "utf8").matchAll(IMPORT), ([, , type, static_, dynamic]) => ({
      from,
      to: relative(root, resolve(join(root, dirname(from)), static_ ?? dynamic ?? "")),
      isType: type !== undefined,
    })),
  );
}

/** The file that a module in the folder imports. */
function resolve(folder: string, specifier: string): string {
  if (specifier === "#safety") return join(SOURCE, "safety/wing.ts");
  if (specifier.startsWith("#src/")) return join(SOURCE, specifier.slice("#src/".length));
  if (specifier.startsWith("#dashboard/")) return join(PAGES, specifier.slice("#dashboard/".length));
  return join(folder, specifier);
}

/** Bounds of what a newcomer meets first (docs/adr/0059-wings.md). */
const [MAX_WINGS, MAX_ARROWS, MAX_LAYERS] = [14, 65, 9];

const entryOf = (path: string) => path.split("/")[0] ?? "";
const layerOf = (entry: string) => LAYERS.findIndex((entries) => entries.includes(entry));

/** Whether the entry may not import the other one. */
function isRefused(entry: string, other: string): boolean {
  const [own, others] = [layerOf(entry), layerOf(other)];
  return others > own || (others === own && !entry.endsWith(".ts"));
}

/** The ends of edges that reach themselves. */
function circles(edges: readonly (readonly [string, string])[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (next.get(from) ?? []).some(([, to]) => {
      if (to === goal) return true;
      if (seen.has(to)) return false;
      seen.add(to);
      return reaches(to, goal, seen);
    });
  return [...next.keys()].filter((end) => reaches(end, end));
}

describe("the layers of src", () => {
  const imports = listImports(SOURCE);

  it("have a place for every folder and file, and for nothing else", () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    const entries = new Set(files.map(entryOf));
    entries.delete("layers.ts");
    expect(LAYERS.flat().toSorted()).toEqual([...entries].toSorted());
  });

  it("are imported from higher layers only, types included", () => {
    const outside = imports.filter(({ from, to }) => entryOf(from) !== entryOf(to));
    expect(outside.length).toBeGreaterThan(1_000);
    const upwards = outside.filter(({ from, to }) => isRefused(entryOf(from), entryOf(to)));
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("are few wings with few arrows between them", () => {
    const between = imports.map(({ from, to }) => [entryOf(from), entryOf(to)]).filter(([from, to]) => from !== to);
    const arrows = new Set(between.filter((ends) => !ends.some((end) => end.endsWith(".ts"))).map(String));
    const wings = LAYERS.flat().filter((entry) => !entry.endsWith(".ts"));
    console.log(`src: ${wings.length} wings, ${arrows.size} arrows between them, ${LAYERS.length} layers`);
    expect(arrows.size).toBeLessThanOrEqual(MAX_ARROWS);
    expect(wings.length).toBeLessThanOrEqual(MAX_WINGS);
    expect(LAYERS.length).toBeLessThanOrEqual(MAX_LAYERS);
  });

  it("are the linter's rules", () => {
    const restrictions = (linter.overrides as Override[]).filter(({ rules }) => RULE in rules);
    for (const entry of LAYERS.flat()) {
      const isFile = entry.endsWith(".ts");
      const own = restrictions.filter(({ files: [pattern = ""] }) => entryOf(pattern.slice("src/".length)) === entry);
      expect(own.length, entry).toBeGreaterThanOrEqual(isFile ? 1 : 4);
      const others = LAYERS.flat().filter((other) => other !== entry);
      const higher = others.filter((other) => isRefused(entry, other));
      for (const { files, rules } of own) {
        const refuses = (other: string) => {
          const specifier = `${isFile ? "./" : "../../"}${other}${other.endsWith(".ts") ? "" : "/x.ts"}`;
          const upwards = rules[RULE]?.[1].patterns.filter(({ message }) => message.includes("lower layers")) ?? [];
          return upwards.some(({ regex }) => new RegExp(regex).test(specifier));
        };
        expect(others.filter(refuses), files[0]).toEqual(higher);
      }
    }
  });
});

describe("the folders of the dashboard", () => {
  it("import no values from each other in circles", () => {
    const roomOf = (path: string) =>
      path
        .split("/")
        .slice(0, path.startsWith("features/") ? 2 : 1)
        .join("/");
    const edges = listImports(PAGES)
      .filter(({ isType, to }) => !isType && !to.startsWith(".."))
      .map(({ from, to }) => [roomOf(from), roomOf(to)] as const)
      .filter(([from, to]) => from !== to);
    expect(edges.length).toBeGreaterThan(500);
    expect(circles(edges)).toEqual([]);
  });
});

it.each([
  ["src", SOURCE],
  ["dashboard/src", PAGES],
])("the files of %s import each other in no circle, by import() and for types included", (_, root) => {
  const edges = listImports(root).map(({ from, to }) => [from, to] as const);
  expect(edges.length).toBeGreaterThan(1_000);
  expect(circles(edges)).toEqual([]);
});
