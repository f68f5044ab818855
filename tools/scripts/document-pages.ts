import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { Marked, Renderer, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../src/platform/lib/escape-html.ts";
import { variantsOf } from "./curl-variants.ts";
import { ROOT } from "./wrangler.ts";

// The documents as pages for people, at /docs and below. dashboard/guide.html is their frame.

/** What stands in the pages for the origin of the installation. */
const ORIGIN = "__ORIGIN__";
const HOST = "__HOST__";

/** Its types would add those of browsers to the whole program. */
const highlighter = createRequire(import.meta.url)("highlight.js") as {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { value: string };
};

/** Names of languages in the documents that are not those of the highlighter. */
const ALIASES: Record<string, string> = {
  sh: "bash",
  js: "javascript",
  ts: "typescript",
  py: "python",
  toml: "ini",
  html: "xml",
};

/** Documents that are not in the folder docs, by their files: their paths in an installation. */
export const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ["skills/tern/SKILL.md", "docs/skill.md"],
  ["SECURITY.md", "docs/security.md"],
]);

/** A page in the order of docs/llms.txt. */
interface Entry {
  /** The path of the document, such as `docs/api/links.md`. */
  file: string;
  title: string;
  description: string;
  section: string;
}

/** A part of a page that the search finds. */
interface Found {
  /** The title of the page, and the heading of the part; empty for the start of the page. */
  title: string;
  heading: string;
  path: string;
  text: string;
}

/** What the frame says of the key in the examples. */
const ABOUT_KEYS = /<p id="page-key">[^]*?<\/p>\s*/;

/** Pages of these sections are marked: they are of no use to people who do not run the service. */
const OPERATORS = "For operators";

/**
 * The pages of the documents, by the path of the file: their HTML, and what the search reads. `documents` are the documents as an
 * installation has them, by their paths, and `frame` is dashboard/guide.html.
 */
export function makePages(documents: ReadonlyMap<string, string>, frame: string): Map<string, string> {
  const entries = readEntries().filter(({ file }) => documents.has(file));
  const index: Found[] = [];
  const pages = new Map<string, string>();
  for (const [position, entry] of entries.entries()) {
    const { html, headings, parts } = render(withoutHead(documents.get(entry.file) ?? ""), entry);
    index.push(...parts);
    const article = [
      entry.section === OPERATORS ? `<p class="badge">${OPERATORS}</p>` : "",
      html,
      neighbours(entries[position - 1], entries[position + 1]),
    ].join("");
    const values: Record<string, string> = {
      title: escapeHtml(entry.title),
      description: escapeHtml(entry.description),
      navigation: navigation(entries, entry),
      article,
      outline: outline(headings),
      markdown: `/${entry.file}`,
    };
    const page = frame.replaceAll(
      /<!-- (\w+) -->|__([A-Z]+)__/g,
      (all, part: string | undefined, word: string | undefined) => values[part ?? word?.toLowerCase() ?? ""] ?? all,
    );
    const shown = html.includes("$KEY") ? page : page.replace(ABOUT_KEYS, "");
    pages.set(`${pathOf(entry.file).slice(1)}.html`, shown);
  }
  pages.set("docs/search.json", JSON.stringify(index));
  return pages;
}

/** The path of a document's page: `/docs/api/links`. A README has the path of its folder. */
export function pathOf(file: string): string {
  return `/${file}`.replace(/(?:\/README)?\.md$/, "");
}

function readEntries(): Entry[] {
  const [, ...sections] = readFileSync(join(ROOT, "docs/llms.txt"), "utf8").split(/^## /m);
  return sections.flatMap((text) => {
    const [section = ""] = text.split("\n");
    const lines = text.matchAll(/^- \[([^\]]+)\]\(([^)]+\.md)\): (.+)$/gm);
    return Array.from(lines, ([, title = "", target = "", description = ""]) => {
      const file = OUTSIDE.get(target.replace("../", "")) ?? `docs/${target}`;
      return { file, title, description, section: section.trim() };
    });
  });
}

/** Without the fields at the start of the skill. */
const withoutHead = (markdown: string) => markdown.replace(/^---\n[^]*?\n---\n/, "");

interface Rendered {
  html: string;
  headings: { id: string; text: string }[];
  parts: Found[];
}

function render(markdown: string, { file, title, description, section }: Entry): Rendered {
  const path = pathOf(file);
  const headings: Rendered["headings"] = [];
  const parts: Found[] = [{ title, heading: "", path, text: description }];
  const ids = new Set<string>();
  let tables = 0;
  const renderer: Partial<Renderer> = {
    heading({ tokens, depth }: Tokens.Heading): string {
      const plain = toPlain(tokens);
      const id = anchorOf(plain);
      // The search leads to a part by its heading alone.
      if (ids.has(id)) throw new Error(`${file} has the heading "${plain}" twice.`);
      ids.add(id);
      if (depth === 2) headings.push({ id, text: plain });
      const html = (this as Renderer).parser.parseInline(tokens);
      return depth === 1
        ? `<h1>${html}</h1>\n`
        : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const html = (this as Renderer).parser.parseInline(tokens);
      return `<a href="${escapeHtml(toPagePath(href))}"${/^https?:/.test(href) ? ' rel="noreferrer"' : ""}>${html}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      // With its size, so that the text below stays where it is while the picture loads.
      const { width, height } = sizeOfPng(join(ROOT, "docs/images", posix.basename(href)));
      const size = `width="${width}" height="${height}"`;
      return `<img src="${escapeHtml(href.replace(ORIGIN, ""))}" alt="${escapeHtml(text)}" ${size} loading="lazy" />`;
    },
    code({ text, lang = "" }: Tokens.Code): string {
      return codeBlock(isAboutLocal(section) ? text : withOrigin(text), lang.split(" ")[0] ?? "");
    },
    table(token: Tokens.Table): string {
      // The first column of some tables has no name.
      const html = Renderer.prototype.table.call(this as Renderer, token).replaceAll("<th></th>", "<td></td>");
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}">${html}</div>`;
    },
    html: () => "",
  };
  const marked = new Marked({ renderer, async: false });
  const tokens = marked.lexer(markdown);
  for (const token of tokens) {
    if (token.type === "heading" && token["depth"] > 1) {
      const plain = toPlain((token as Tokens.Heading).tokens);
      parts.push({ title, heading: plain, path: `${path}#${anchorOf(plain)}`, text: "" });
    } else if (token.type !== "heading" && token.type !== "html") {
      const part = parts.at(-1) as Found;
      part.text = `${part.text} ${searchText(token)}`.replaceAll(/\s+/g, " ").trim();
    }
  }
  return { html: marked.parser(tokens), headings, parts };
}

/** In pixels, from the head of the file. */
function sizeOfPng(path: string): { width: number; height: number } {
  const file = readFileSync(path);
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function toPlain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ("tokens" in token && token.tokens !== undefined) return toPlain(token.tokens);
      return "text" in token ? String(token["text"]) : "";
    })
    .join("");
}

/** The text of a block without its markup. */
function searchText(token: Token): string {
  return token.raw
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\s*\|?[\s|:-]+\|?$/gm, " ")
    .replaceAll(/[`*|]/g, " ")
    .replaceAll(ORIGIN, "");
}

/** A link between documents leads to the page. */
function toPagePath(href: string): string {
  const [, file, anchor = ""] = /^__ORIGIN__\/(docs\/[\w/-]+\.md)(#.*)?$/.exec(href) ?? [];
  if (file === undefined) return href.startsWith(`${ORIGIN}/`) ? href.slice(ORIGIN.length) : href;
  return pathOf(file) + anchor;
}

/** Whether the pages are also about services on the reader's own machine. */
const isAboutLocal = (section: string) => section === OPERATORS || section === "Optional";

/** An example names the installation, so that it runs as it is. */
function withOrigin(code: string): string {
  return code.replaceAll(/\$API\b|http:\/\/localhost:8787/g, ORIGIN).replaceAll("localhost:8787", HOST);
}

function codeBlock(code: string, language: string): string {
  const variants = language === "sh" ? variantsOf(code) : [];
  if (variants.length === 0) return `<div class="code">${pre(code, language)}</div>\n`;
  const all = [{ name: "curl", language: "sh", code }, ...variants];
  const blocks = all.map(({ name, language: of, code: text }) => `<div data-tab="${name}">${pre(text, of)}</div>`);
  return `<div class="code tabs">${blocks.join("")}</div>\n`;
}

function pre(code: string, language: string): string {
  const known = ALIASES[language] ?? language;
  if (highlighter.getLanguage(known) === undefined) return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
  const { value } = highlighter.highlight(code, { language: known });
  // Most of the spans in JSON are of punctuation, which has no colour.
  const html = value.replaceAll(/<span class="hljs-punctuation">([^<]*)<\/span>/g, "$1");
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}

function navigation(entries: readonly Entry[], current: Entry): string {
  const sections = Map.groupBy(entries, ({ section }) => section);
  return Array.from(sections, ([section, pages]) => {
    const items = pages.map(({ file, title }) => {
      const mark = file === current.file ? ' aria-current="page"' : "";
      return `<li><a href="${pathOf(file)}"${mark}>${escapeHtml(title)}</a></li>`;
    });
    return `<h2>${escapeHtml(section)}</h2><ul>${items.join("")}</ul>`;
  }).join("");
}

function outline(headings: Rendered["headings"]): string {
  if (headings.length < 2) return "";
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav aria-labelledby="page-outline"><h2 id="page-outline">On this page</h2><ul>${items.join("")}</ul></nav>`;
}

function neighbours(previous: Entry | undefined, next: Entry | undefined): string {
  const link = (entry: Entry | undefined, name: string) =>
    entry === undefined
      ? "<span></span>"
      : `<a href="${pathOf(entry.file)}" rel="${name}"><span>${name === "prev" ? "Previous" : "Next"}</span>${escapeHtml(entry.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(previous, "prev")}${link(next, "next")}</nav>`;
}
