import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { LOWEST_ROLE } from "../../src/platform/auth/roles.ts";
import { STATUS_OF_CODE } from "../../src/platform/http/error-body.ts";
import {
  ANONYMOUS_LINKS_PER_NETWORK,
  DEFAULT_ACCOUNT_LINKS_PER_MINUTE,
  DEFAULT_ANONYMOUS_LINKS_PER_MINUTE,
  MAX_FAILED_KEYS_PER_ADDRESS,
} from "../../src/platform/rate-limit/limits.ts";
import { RATE_LIMITS } from "../../src/app.ts";
import { RESERVED_SLUGS } from "../../src/links/slugs/reserved-slugs.ts";
import { ROOT } from "../e2e/support/build.ts";
import { NOT_RUN } from "./support/not-run.ts";
import { blocksOf, codeSpansOf, PAGES, readPage, tableAfter } from "./support/pages.ts";
import { SHARED_CLICK_QUERIES_PER_ACCOUNT } from "../../src/clicks/shared-pages/limits.ts";

const README_LINES = 170;
const PAGE_LINES = 290;
const GUIDE_LINES = 120;

/** The requirements of the levels 1 and 2, by section, in the chapters that the service is held to. */
const ASVS_REQUIREMENTS: Record<string, number[]> = {
  "3.2": [1, 2],
  "3.3": [1, 2, 3, 4],
  "3.4": [1, 2, 3, 4, 5, 6],
  "3.5": [1, 2, 3, 4, 5],
  "3.7": [1, 2],
  "4.4": [1, 2, 3, 4],
  "5.1": [1],
  "5.2": [1, 2, 3],
  "5.3": [1, 2],
  "5.4": [1, 2, 3],
  "6.1": [1, 2, 3],
  "6.2": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  "6.3": [1, 2, 3, 4],
  "6.4": [1, 2, 3, 4],
  "6.5": [1, 2, 3, 4, 5],
  "6.6": [1, 2, 3],
  "6.8": [1, 2, 3, 4],
  "7.1": [1, 2, 3],
  "7.2": [1, 2, 3, 4],
  "7.3": [1, 2],
  "7.4": [1, 2, 3, 4, 5],
  "7.5": [1, 2],
  "7.6": [1, 2],
  "8.1": [1, 2],
  "8.2": [1, 2, 3],
  "8.3": [1],
  "8.4": [1],
  "11.1": [1, 2],
  "11.2": [1, 2, 3],
  "11.3": [1, 2, 3],
  "11.4": [1, 2, 3, 4],
  "11.5": [1],
  "11.6": [1],
  "14.1": [1, 2],
  "14.2": [1, 2, 3, 4],
  "14.3": [1, 2, 3],
  "16.1": [1],
  "16.2": [1, 2, 3, 4, 5],
  "16.3": [1, 2, 3, 4],
  "16.4": [1, 2, 3],
  "16.5": [1, 2, 3],
};

const withoutBlocks = (page: string) => readPage(page).replaceAll(/^( *)```[^]*?^\1```$/gm, "");
const linesOf = (text: string) => text.trimEnd().split("\n").length;

describe("the documents", () => {
  it("are short", () => {
    expect(linesOf(readPage("README.md"))).toBeLessThanOrEqual(README_LINES);
    for (const page of PAGES)
      expect(linesOf(readPage(page)), page).toBeLessThanOrEqual(
        page.startsWith("docs/guides/") ? GUIDE_LINES : PAGE_LINES,
      );
  });

  it("link to pages, headings and files that exist", () => {
    const anchorsOf = (page: string) =>
      Array.from(withoutBlocks(page).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, "")
          .replaceAll(" ", "-"),
      );
    const broken = PAGES.flatMap((page) =>
      Array.from(withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => {
        if (target.startsWith("https:")) return null;
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? page : normalize(join(dirname(page), path));
        const isThere = existsSync(join(ROOT, file)) && (anchor === undefined || anchorsOf(file).includes(anchor));
        return isThere ? null : `${page}: ${target}`;
      }),
    );
    expect(broken.filter(Boolean)).toEqual([]);
  });

  it("are all in the index of the documents", () => {
    const targets = readPage("docs/README.md").matchAll(/\]\(([^)\s#]+)\)/g);
    const linked = new Set(Array.from(targets, ([, target = ""]) => normalize(join("docs", target))));
    const indexed = PAGES.filter((page) => page.startsWith("docs/") && !/^docs\/(README|adr\/\d.*)\.md$/.test(page));
    expect(indexed.filter((page) => !linked.has(page))).toEqual([]);
  });

  it("name files and npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    const missing = PAGES.flatMap((page) => {
      const commands = blocksOf(page)
        .filter(({ language }) => language === "sh")
        .map(({ text }) => text);
      const texts = [...codeSpansOf(withoutBlocks(page)), ...commands];
      const files = texts.flatMap(
        (text) =>
          text.match(
            /(?<![\w/.-])(?:src|test|tools\/bench|tools\/scripts|packages|dashboard|examples|docs)\/[\w./-]*\w/g,
          ) ?? [],
      );
      const runs = texts.flatMap((text) => text.match(/npm run [\w:-]+/g) ?? []);
      return [
        ...files.filter((file) => !existsSync(join(ROOT, file))),
        ...runs.filter((run) => !(run.replace("npm run ", "") in scripts)),
      ];
    });
    expect([...new Set(missing)].sort()).toEqual([]);
  });

  it("name a test for each of the ten risks of OWASP and for each threat", () => {
    const risks = readPage("docs/security/owasp-api-2023.md")
      .split(/^## (?=API)/m)
      .slice(1);
    expect(risks.map((risk) => /^API\d+/.exec(risk)?.[0])).toEqual(Array.from({ length: 10 }, (_, n) => `API${n + 1}`));
    for (const risk of risks)
      expect(risk).toMatch(/\*\*Could happen\*\*[^]*\*\*Prevented by\*\*[^]*\*\*Tests\*\*: `test\/[^]*\*\*Remains\*\*/);
    const threats = tableAfter("SECURITY.md", "## Threats and defences");
    for (const { cells } of threats) expect(cells.at(-1)).toMatch(/^`test\//);
  });

  it("have each requirement of the levels 1 and 2 of ASVS 5.0.0 in their chapters, with tests or a reason", () => {
    const page = "docs/security/asvs.md";
    const chapters = readPage(page).match(/^## V.*$/gm) ?? [];
    const rows = chapters.flatMap((chapter) => tableAfter(page, chapter).map(({ cells }) => cells));
    const listed = rows.flatMap(([requirement = ""]) => requirement.match(/\b\d+\.\d+\.\d+\b/g) ?? []);
    expect(listed.filter((id, index) => listed.indexOf(id) !== index)).toEqual([]);
    const demanded = Object.entries(ASVS_REQUIREMENTS).flatMap(([section, numbers]) =>
      numbers.map((number) => `${section}.${number}`),
    );
    expect(demanded.filter((id) => !listed.includes(id))).toEqual([]);
    for (const [requirement, state = "", where = ""] of rows) {
      expect([requirement, state]).toEqual([requirement, expect.stringMatching(/^(met|n\/a|deviation)\b/)]);
      if (!state.startsWith("met")) expect(state).toMatch(/^[^:;]+[:;] ?\w/);
      else expect([requirement, where]).toEqual([requirement, expect.stringMatching(/`test\/.*\.test\.ts`|\]\(/)]);
    }
  });

  it("have no other examples that are not run", () => {
    const notRun = PAGES.flatMap((page) =>
      blocksOf(page)
        .filter(({ language, flags }) => (language === "sh" || language === "js") && flags.includes("no-run"))
        .map(({ text }) => `${page}: ${text.trim().split("\n")[0]}`),
    );
    expect(notRun.sort()).toEqual(NOT_RUN.toSorted());
  });

  it("list every permission with its lowest role", () => {
    const rows = tableAfter("docs/accounts.md", "## Roles").map(({ cells: [permission = "", role] }) => [
      codeSpansOf(permission)[0],
      role,
    ]);
    expect(Object.fromEntries(rows)).toEqual(LOWEST_ROLE);
  });

  it("list every rate limit, error code, reserved slug, setting and log event", () => {
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    const rows = tableAfter("docs/api/rate-limits.md", "## Limits by operation");
    const limits = rows.flatMap(({ cells: [, path = "", ...calls] }) =>
      calls.flatMap((limit, n) => (limit === "" ? [] : [[`${methods[n]} ${codeSpansOf(path)[0]}`, Number(limit)]])),
    );
    expect(limits).toHaveLength(Object.keys(RATE_LIMITS).length);
    expect(Object.fromEntries(limits)).toEqual(RATE_LIMITS);
    const others = tableAfter("docs/api/rate-limits.md", "## Other limits").map(({ cells: [limit = ""] }) =>
      Number(limit.replace(",", "")),
    );
    expect(others).toEqual([
      DEFAULT_ACCOUNT_LINKS_PER_MINUTE,
      ANONYMOUS_LINKS_PER_NETWORK,
      DEFAULT_ANONYMOUS_LINKS_PER_MINUTE,
      SHARED_CLICK_QUERIES_PER_ACCOUNT,
      MAX_FAILED_KEYS_PER_ADDRESS,
    ]);

    const codes = tableAfter("docs/api/README.md", "`error` is a sentence").map(({ cells: [status, code = ""] }) => [
      codeSpansOf(code)[0],
      Number(status),
    ]);
    expect(Object.fromEntries(codes)).toEqual(STATUS_OF_CODE);

    const [, reserved = ""] = /these slugs are reserved:([^]*?)\.\s/.exec(readPage("docs/api/links.md")) ?? [];
    expect(codeSpansOf(reserved)).toEqual([...RESERVED_SLUGS].sort());

    const settings = tableAfter("docs/configuration.md", "## Variables").flatMap(({ names }) => names);
    const [, vars = ""] = /^\[vars\]$([^]*?)^\[/m.exec(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) ?? [];
    expect(settings.sort()).toEqual(Array.from(vars.matchAll(/^(\w+) =/gm), ([, name]) => name).sort());

    const sources = globSync("src/**/*.ts", { cwd: ROOT, exclude: ["src/platform/lib/log.ts"] });
    const texts = sources.map((file) => readFileSync(join(ROOT, file), "utf8"));
    const logged = texts.flatMap((text) =>
      Array.from(text.matchAll(/\blog\(\s*"\w+",\s*"(\w+)"/g), ([, event]) => event),
    );
    // A name that is computed, or a line that is written in another way, would not be found.
    expect(texts.flatMap((text) => text.match(/\blog\(/g) ?? [])).toHaveLength(logged.length);
    expect(sources.filter((_, n) => texts[n]?.includes("console."))).toEqual([]);
    const explained = tableAfter("docs/operations.md", "## Log events").flatMap(({ names }) => names);
    expect(explained.sort()).toEqual([...new Set(logged)].sort());
    const inQueries = tableAfter("docs/operations.md", "### Saved queries").flatMap(({ cells: [, filter = ""] }) =>
      Array.from(filter.matchAll(/`event` equals `(\w+)`/g), ([, event = ""]) => event),
    );
    const inAlerts = tableAfter("docs/operations.md", "### Alerts").flatMap(({ names }) => names);
    expect([...inQueries, ...inAlerts].filter((event) => !explained.includes(event))).toEqual([]);
  });
});
