import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createProgram } from "../../packages/cli/src/program.ts";
import { USAGE as ACCOUNT_USAGE } from "../../tools/scripts/account-arguments.ts";
import { SCOPES_OF_RESOURCE } from "../../src/platform/auth/scopes.ts";
import { ROOT } from "../e2e/support/build.ts";
import { codeSpansOf, PAGES, readPage, tableAfter } from "./support/pages.ts";

// Every environment variable, command, secret and scope of the code is in the documents.

const ALL_PAGES = PAGES.map(readPage).join("\n");
/** Variables that the system, npm or a test itself sets. */
const SET_BY_OTHERS = new Set(["APPDATA", "MINIFLARE_WORKERD_V8_FLAGS", "PATH", "TERM", "npm_lifecycle_event"]);

/** What the pattern's group matches in the files. */
function namesIn(files: string, pattern: RegExp): string[] {
  const texts = globSync(files, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), "utf8"));
  const names = texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));
  return [...new Set(names)].sort();
}

it("every environment variable is in the documents", () => {
  const variables = namesIn("{tools,packages/cli/src,packages/sdk/src,test}/**/*.ts", /\benv\["(\w+)"\]/g);
  expect(variables).toEqual(expect.arrayContaining(["TERN_API_KEY", "TERN_URL", "CHROMIUM"]));
  const missing = variables.filter((name) => !new RegExp(`(?<![\\w-])${name}(?!\\w)`).test(ALL_PAGES));
  expect(missing.filter((name) => !SET_BY_OTHERS.has(name))).toEqual([]);
});

it("every secret is in the table of secrets", () => {
  const optional = namesIn("src/**/*.ts", /\b([A-Z][A-Z_]+_(?:TOKEN|KEY|CODE))\?: string/g);
  const documented = tableAfter("docs/configuration.md", "| secret | meaning |").flatMap(({ names }) => names[0] ?? []);
  expect(documented.sort()).toEqual(["ENCRYPTION_KEYS", ...optional].sort());
});

it("every npm script is in the documents", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const commandOf = (name: string) => (["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`);
  const isShown = (name: string) => new RegExp(`${commandOf(name)}(?![\\w:-])`).test(ALL_PAGES);
  expect(Object.keys(scripts).filter((name) => !isShown(name))).toEqual([]);
});

it("every command of tern is in its table, and every subcommand on the page", () => {
  const table = tableAfter("docs/cli.md", "## Commands").map(({ cells: [commands = ""] }) => codeSpansOf(commands));
  const rowOf = (name: string) =>
    table.find((spans) => spans.some((span) => new RegExp(`^tern ${name}(?![\\w-])`).test(span)));
  const words = new Set(codeSpansOf(readPage("docs/cli.md")).flatMap((span) => span.split(/[ ,]+/)));
  const { commands } = createProgram();
  const inText = new Set(commands.map((command) => command.name()).filter((name) => words.has(name)));
  const missing = commands.filter((command) => rowOf(command.name()) === undefined && !inText.has(command.name()));
  expect(missing.map((command) => command.name())).toEqual([]);
  const subcommands = commands.flatMap((command) =>
    command.commands.map((sub) => [command.name(), sub.name()] as const),
  );
  expect(subcommands.filter(([, name]) => !words.has(name))).toEqual([]);
});

it("every command for accounts is in the documents", () => {
  const actions = Array.from(ACCOUNT_USAGE.matchAll(/npm run account -- ([\w-]+)/g), ([, action = ""]) => action);
  expect(actions.length).toBeGreaterThan(5);
  const page = readPage("docs/managing-accounts.md");
  expect(actions.filter((action) => !new RegExp(`(account -- |\`)${action}\\b`).test(page))).toEqual([]);
});

it("every scope of apps is in the documents", () => {
  const documented = tableAfter("docs/oauth.md", "## Scopes").flatMap(({ names }) => names);
  expect(documented).toEqual([...SCOPES_OF_RESOURCE["/api"]]);
});

it("every alert has a row in the runbook, with a query for its event", () => {
  const alerts = tableAfter("docs/operations.md", "### Alerts").flatMap(({ names }) => names);
  const rows = tableAfter("docs/runbook.md", "## The alerts");
  expect(rows.flatMap(({ names }) => names)).toEqual(alerts);
  for (const { names, cells } of rows) expect(cells[1]).toContain(`\`event\` equals \`${names[0]}\``);
});

it("the README has the figures of the page of costs", () => {
  const rows = tableAfter("README.md", "## What it costs").map(({ cells }) => cells);
  const months = tableAfter("docs/costs.md", "## Installations").map(({ cells }) => cells);
  const figuresOf = (row: string) =>
    months
      .find(([name]) => name === row)
      ?.slice(1)
      .map((cell) => cell.replaceAll("*", ""));
  expect(rows).toEqual([
    ["links", ...(figuresOf("links") ?? [])],
    ["dollars a month", ...(figuresOf("**a month, in dollars**") ?? [])],
  ]);
  const dollarsOf = (row: string) =>
    months
      .find(([name]) => name === row)
      ?.slice(1)
      .map((cell) => Number(cell.replaceAll(/[*,]/g, ""))) ?? [];
  const totals = dollarsOf("**a month, in dollars**");
  // "$2 to $3, less what the plan includes."
  const [plan, included] = [dollarsOf("the plan"), dollarsOf("of that included in the plan")];
  for (const [index, clicks] of [0.01, 1, 50, 1_000].entries()) {
    const perMillion = ((totals[index] ?? NaN) - (plan[index] ?? NaN) - (included[index] ?? NaN)) / clicks;
    expect(Math.round(perMillion)).toBeGreaterThanOrEqual(2);
    expect(Math.round(perMillion)).toBeLessThanOrEqual(3);
  }
});
