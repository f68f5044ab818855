import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

// What the linter cannot see. The direction of imports and circles are its rules (oxlint.config.ts).

const SOURCE = join(import.meta.dirname, "../../src");
const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const textOf = (name: string) => readFileSync(join(SOURCE, name), "utf8");

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
});
