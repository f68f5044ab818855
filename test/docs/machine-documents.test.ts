import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDocuments, toInstalled } from "../../tools/scripts/build-documents.ts";
import { ROOT } from "../e2e/support/build.ts";

// The documents that programs read: llms.txt, the pages as Markdown, the skill for coding agents, and server.json.

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const readJson = (file: string) => JSON.parse(read(file)) as Record<string, unknown>;

describe("docs/llms.txt", () => {
  const [head = "", ...sections] = read("docs/llms.txt").trimEnd().split(/^## /m);
  const entries = sections.flatMap((section) => section.trimEnd().split("\n").slice(2));

  it("has the form of llmstxt.org: a title, a summary, then sections of links with a sentence each", () => {
    expect(head).toMatch(/^# \S.*\n\n> \S.*\n\n/);
    expect(sections.length).toBeGreaterThan(3);
    for (const entry of entries) expect(entry).toMatch(/^- \[[^\]]+\]\([^)]+\): [A-Z].*\.$/);
  });

  it("names every page once, by its title", () => {
    const listed = entries.map((entry) => /^- (\[[^\]]+\]\([^)]+\))/.exec(entry)?.[1] ?? "");
    const pages = [...findDocuments().values()].filter((file) => /^docs\/.*\.md$/.test(file));
    const titled = pages.map((page) => `[${/^# (.*)$/m.exec(read(page))?.[1]}](${page.replace("docs/", "")})`);
    expect(listed.filter((link) => !/\((__ORIGIN__|\.\.)/.test(link)).toSorted()).toEqual(titled.toSorted());
  });
});

describe("a document of an installation", () => {
  const paths = new Map([
    ["docs/cli.md", "docs/cli.md"],
    ["docs/api/links.md", "docs/api/links.md"],
  ]);
  const installed = (text: string) => toInstalled(text, "docs/api/links.md", paths);

  it.each([
    ["[Command](../cli.md#log-in)", "[Command](__ORIGIN__/docs/cli.md#log-in)"],
    ["[here](#slugs) and [there](https://example.com/a.md)", "[here](#slugs) and [there](https://example.com/a.md)"],
    ["[live.js](../../examples/clicks/live.js)", "live.js (`examples/clicks/live.js` in the repository)"],
    ["[`examples/clicks/live.js`](../../examples/clicks/live.js)", "`examples/clicks/live.js`"],
    ["![The list of links](../images/links.png)", "![The list of links](__ORIGIN__/_app/images/links.png)"],
    ["`https://go.example/mcp` and https://go.example.com", "`__ORIGIN__/mcp` and https://go.example.com"],
    [
      "```md\n[Command](../cli.md)\n```\n[Command](../cli.md)",
      "```md\n[Command](../cli.md)\n```\n[Command](__ORIGIN__/docs/cli.md)",
    ],
  ])("of %j is %j", (text, expected) => {
    expect(installed(text)).toBe(expected);
  });
});

describe("the skill for coding agents", () => {
  const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(read("skills/tern/SKILL.md")) ?? [];
  const fields = Object.fromEntries(head.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2))) as Record<
    string,
    string
  >;

  it("begins with its name, which is that of its folder, and a description of when to use it", () => {
    expect(fields["name"]).toBe("tern");
    expect(fields["description"]).toMatch(/Use it when/);
    expect(fields["description"]?.length).toBeLessThanOrEqual(1_024);
    expect(Object.keys(fields)).toEqual(["name", "description"]);
  });

  it("is short, and every example in it is run", () => {
    expect(body.split("\n").length).toBeLessThanOrEqual(150);
    expect(body).not.toContain("no-run");
  });
});

it("server.json describes the MCP server for registries, with the version of the package", () => {
  const server = readJson("server.json");
  expect(server).toMatchObject({
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: expect.stringMatching(/^[a-zA-Z0-9.-]+\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/) as string,
    title: "Tern",
    description: expect.stringMatching(/^.{1,100}$/) as string,
    version: readJson("package.json")["version"],
    remotes: [{ type: "streamable-http", url: "https://{host}/mcp", variables: { host: { isRequired: true } } }],
  });
});
