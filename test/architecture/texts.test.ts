import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../src/platform/languages.ts";

// The types of the texts ask for each text of a language. These tests ask whether it is one of that language.

const DASHBOARD = join(import.meta.dirname, "../../dashboard");
const TEXTS = join(DASHBOARD, "src/texts");

// The console of operators is in English only: its texts are beside it, in dashboard/src/features/admin/texts.ts.

/** The documents and the API reference are in English only. */
const ENGLISH_MODULE = "docs.ts";

interface Node {
  type: string;
  [key: string]: unknown;
}

/** All nodes of the code, each before those in it. */
function nodesOf(code: string, lang: "ts" | "tsx" = "ts"): Node[] {
  const nodes: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    if ("type" in value && typeof value.type === "string") nodes.push(value as Node);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(code, { lang }));
  return nodes;
}

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** What a literal or a piece of a template says. */
function literalOf({ type, value }: Node): string | null {
  if (type === "Literal" || type === "JSXText") return typeof value === "string" ? value.trim() : null;
  return type === "TemplateElement" ? (value as { cooked: string }).cooked.trim() : null;
}

/** A text, or a function that makes one. */
type Text = string | ((...values: never[]) => unknown);

/** The texts of the modules of a language, by where they are: "keys.ts: keys.create.title". */
async function textsOf(language: string): Promise<Map<string, Text>> {
  const found = new Map<string, Text>();
  const collect = (path: string, value: unknown): void => {
    if (typeof value === "string" || typeof value === "function") found.set(path, value as Text);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) collect(`${path}.${name}`, each);
  };
  for (const name of readdirSync(join(TEXTS, "en")).filter((file) => file !== ENGLISH_MODULE)) {
    const exported = (await import(join(TEXTS, language, name))) as Record<string, unknown>;
    for (const [key, value] of Object.entries(exported)) collect(`${name}: ${key}`, value);
  }
  return found;
}

/** What the text says besides what is put in. */
function wordsOf(text: Text): string[] {
  if (typeof text === "string") return [text];
  return nodesOf(`(${text.toString()})`)
    .map(literalOf)
    .filter((literal) => literal !== null)
    .filter(hasLetters);
}

/** The values that a function of texts uses, as numbers of its parameters, with the names of properties: "0", "0.name". */
function usedBy(text: Text): string[] {
  if (typeof text === "string") return [];
  const nodes = nodesOf(`(${text.toString()})`);
  const definition = nodes.find(({ type }) => /Function/.test(type));
  const identifiers = nodes.flatMap(({ type, name }) => (type === "Identifier" ? [String(name)] : []));
  // A parameter is an identifier too, so that one which is used is there twice.
  const isUsed = (name: string) => identifiers.filter((each) => each === name).length > 1;
  return ((definition?.["params"] ?? []) as Node[]).flatMap((parameter, index) => {
    const { type, name, properties } =
      parameter["type"] === "AssignmentPattern" ? (parameter["left"] as Node) : parameter;
    if (type !== "ObjectPattern") return isUsed(String(name)) ? [String(index)] : [];
    return (properties as { key: { name: string } }[]).map(({ key }) => `${index}.${key.name}`);
  });
}

const listOf = (...lines: string[]): string[] => lines.join(", ").split(", ");

/** What is the same in every language: names, formats, units, commands, and examples of what people enter. */
const SAME_EVERYWHERE = listOf(
  "Android, Android (assetlinks.json), Apple (apple-app-site-association)",
  "ChatGPT, Claude Code, Cursor, Discord, Slack, Teams, VS Code",
  "CSV, JSON, PNG, SVG, .svg, URL, ms, npm run account, https://example.com/hooks/tern",
  // Usual values of utm_source and utm_medium.
  "newsletter, email",
);

/** Words that a language has as English has them. */
const SAME_WORDS: Record<string, string[]> = {
  // Addresses are written in Latin letters.
  ar: listOf("https://example.com/page, https://example.com/a/very/long/address"),
  de: listOf(
    "Admin, Bots, Browser, Computer, Domain, Domain:, Domains, Export, Filter, Format, Host, Hosts, Import, Link",
    "Links, Listener, Live, Logo, Medium, Medium (utm_medium), Name, Orange, Passkeys, Phishing, Region",
    "Secret, Slug, Spam, Status, Status:, System, Tablet, Tag, Tag:, Tags, Team, Webhooks",
  ),
  es: listOf(
    "Admin, Asia, Bots, General, Host, Hosts, Id, Listener, Listeners, Malware, Personal, Phishing, Slug, Spam",
    "Webhooks, admin, listeners, no, roles, slug, webhooks",
  ),
};

const ENGLISH = await textsOf("en");

describe.each(Object.keys(LANGUAGES).filter((language) => language !== "en"))("the texts in %s", async (language) => {
  const texts = await textsOf(language);

  it("are all there", () => {
    expect(ENGLISH.size).toBeGreaterThan(1_500);
    expect([...texts.keys()].sort()).toEqual(expect.arrayContaining([...ENGLISH.keys()].sort()));
    expect([...texts].filter(([path, text]) => text === "" && ENGLISH.get(path) !== "")).toEqual([]);
  });

  it("are other words than the English ones", () => {
    const allowed = new Set([...SAME_EVERYWHERE, ...(SAME_WORDS[language] ?? [])]);
    const same = [...ENGLISH].flatMap(([path, english]) => {
      const words = wordsOf(english).filter(hasLetters).join("|");
      return words !== "" && words === wordsOf(texts.get(path) ?? "").join("|") ? [[path, words] as const] : [];
    });
    expect(same.filter(([, words]) => !allowed.has(words))).toEqual([]);
    const needed = new Set(same.map(([, words]) => words));
    expect(SAME_WORDS[language]?.filter((words) => !needed.has(words))).toEqual([]);
  });

  it("use the values that the English ones use", () => {
    const used = ([path, text]: [string, Text]) => [path, usedBy(text)];
    const translated = [...ENGLISH.keys()].map((path): [string, Text] => [path, texts.get(path) ?? ""]);
    expect(translated.map(used)).toEqual([...ENGLISH].map(used));
  });
});

/** Attributes whose values people read or hear. */
const ATTRIBUTES = new Set([
  "title",
  "aria-label",
  "placeholder",
  "alt",
  "label",
  "aria-description",
  "aria-roledescription",
]);

/** The name of the service, prefixes, and examples of what people enter. */
const NO_WORDS = /^(?:(?:· )?Tern|utm_|https:\/\/\S*|(?:go\.)?example\.com|#rrggbb)$/;

/** What the elements and attributes of a file say without the modules of texts. */
function literalsIn(file: string): string[] {
  return nodesOf(readFileSync(file, "utf8"), "tsx")
    .flatMap((node) => {
      if (node.type === "JSXElement" || node.type === "JSXFragment") return node["children"] as Node[];
      if (node.type !== "JSXAttribute") return [];
      const { name, value } = node as Node & { name: { name: string }; value: Node | null };
      return ATTRIBUTES.has(name.name) && value !== null ? [value] : [];
    })
    .flatMap((node) => (node.type === "JSXExpressionContainer" ? choicesOf(node["expression"] as Node) : [node]))
    .map(literalOf)
    .filter((text) => text !== null && hasLetters(text) && !NO_WORDS.test(text))
    .map((text) => `${relative(DASHBOARD, file)}: ${text}`);
}

/** What the expression may be: both sides of a choice, and the pieces of a template. */
function choicesOf(expression: Node): Node[] {
  const { type, consequent, alternate, right, left, quasis } = expression as Node & Record<string, Node>;
  if (type === "ConditionalExpression") return [consequent, alternate].flatMap((node) => choicesOf(node as Node));
  if (type === "LogicalExpression") return [left, right].flatMap((node) => choicesOf(node as Node));
  return type === "TemplateLiteral" ? (quasis as unknown as Node[]) : [expression];
}

it("has no words of the pages beside the modules of texts", () => {
  const folder = join(DASHBOARD, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => literalsIn(join(folder, file)))).toEqual([]);
});

it.each(["app.html", "home.html"])("has no words in %s", (file) => {
  const html = readFileSync(join(DASHBOARD, file), "utf8").replaceAll(/<(script|style)[^]*?<\/\1>|<!--[^]*?-->/g, "");
  const attributes = [...html.matchAll(/ (?:alt|aria-label|placeholder|title|content)="([^"]*)"/g)].map(
    ([, value]) => value,
  );
  const shown = [...html.replaceAll(/<[^>]*>/g, "\n").split("\n"), ...attributes.map(String)];
  const words = shown.map((text) => text.replaceAll(/%[\w.]+%/g, "").trim()).filter(hasLetters);
  expect(words.filter((text) => text !== "Tern" && text !== "noindex")).toEqual([]);
});
