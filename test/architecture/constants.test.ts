import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Names that several modules export, with the reason. */
const SHARED_NAMES = new Set([
  // Each routes.ts has one table of its routes, which src/app.ts joins.
  "ROUTES",
  // The wing safety and what a build without it has in its place, under one path of imports.
  "REPORT_PATH",
]);

interface Constant {
  name: string;
  file: string;
  isExported: boolean;
  /** Of a number: how it is written. */
  number: string | undefined;
}

const CONSTANT = /^(export )?const ([A-Z][A-Z\d_]*)\b(?:: [^=\n]+)?(?: = ([\d_]+(?: \* [\w ]+)?);$)?/gm;

const constants = ["src", "dashboard/src"]
  .flatMap((root) =>
    readdirSync(join(ROOT, root), { recursive: true, encoding: "utf8" }).map((name) => `${root}/${name}`),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file): Constant[] =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(CONSTANT)].map(([, exported, name = "", number]) => ({
      name,
      file,
      isExported: exported !== undefined,
      number,
    })),
  )
  .filter(({ name }) => !SHARED_NAMES.has(name));

const named = Map.groupBy(constants, ({ name }) => name);

/** The pairs of different constants with one name for which `isClash` holds. */
function clashes(isClash: (constant: Constant, other: Constant) => boolean): string[] {
  return constants.flatMap((constant) =>
    (named.get(constant.name) ?? [])
      .filter((other) => other !== constant && isClash(constant, other))
      .map((other) => `${constant.name}: ${constant.file}, ${other.file}`),
  );
}

const treeOf = ({ file }: Constant) => file.split("/", 1)[0];
const wingOf = ({ file }: Constant) => file.split("/", 2).join("/");

describe("constants", () => {
  it("are found", () => {
    expect(constants.filter(({ isExported }) => isExported).length).toBeGreaterThan(500);
    expect(constants.filter(({ number }) => number !== undefined).length).toBeGreaterThan(300);
  });

  it("that are exported have a name that nothing else in the Worker and the pages has", () => {
    // Pages may have a constant of their own with a name of the Worker, such as a part of a page.
    const isClash = (constant: Constant, other: Constant) =>
      constant.isExported && (other.isExported || treeOf(constant) === treeOf(other));
    expect(clashes(isClash)).toEqual([]);
  });

  it("of one wing that are numbers have one value under one name", () => {
    const isClash = (constant: Constant, other: Constant) =>
      treeOf(constant) === "src" &&
      wingOf(constant) === wingOf(other) &&
      constant.number !== undefined &&
      other.number !== undefined &&
      constant.number !== other.number;
    expect(clashes(isClash)).toEqual([]);
  });
});
