import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../e2e/support/build.ts";

/** All documents, by their paths from the root. */
export const PAGES = globSync(["*.md", "{docs,examples,skills}/**/*.md"], { cwd: ROOT }).sort();

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** A fenced block of a page. */
export interface Block {
  /** The first word behind the fence. */
  language: string;
  /** The other words. */
  flags: string[];
  text: string;
  line: number;
}

const BLOCK = /^( *)```(\S*) ?(.*)\n([^]*?)^\1```$/gm;

export function blocksOf(page: string): Block[] {
  const content = readPage(page);
  return Array.from(content.matchAll(BLOCK), ({ index, 2: language = "", 3: flags = "", 4: text = "" }) => ({
    language,
    flags: flags.split(" ").filter(Boolean),
    text,
    line: content.slice(0, index).split("\n").length,
  }));
}

/** Commands of a page, with the block behind them that shows their output. */
export interface Example {
  commands: string;
  line: number;
  output: Block | undefined;
}

/** What a program of a page begins with if it leaves this out. */
const PROGRAM_HEAD = 'import { Tern, TernError, webhooks } from "@tern/sdk";\nconst client = new Tern();\n';

/** A program as the command that runs it. */
function toCommand(program: string): string {
  const whole = program.includes('from "@tern/sdk"') ? program : PROGRAM_HEAD + program;
  return `node --input-type=module - <<'PROGRAM'\n${whole}PROGRAM\n`;
}

/** The examples of a page that can be run: commands, and programs in JavaScript. */
export function examplesOf(page: string): Example[] {
  const lines = readPage(page).split("\n");
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, flags, text, line }, index) => {
    if ((language !== "sh" && language !== "js") || flags.includes("no-run")) return [];
    const next = blocks[index + 1];
    const end = line + text.split("\n").length + 1;
    const follows = next !== undefined && next.line === end && (lines[end - 1] ?? "").startsWith("```");
    const commands = language === "js" ? toCommand(text) : text;
    return [{ commands, line, output: follows && next.language !== "sh" && next.language !== "js" ? next : undefined }];
  });
}

/** Returns the rows of the first table after `start`; `names` are the code spans of the first cell. */
export function tableAfter(page: string, start: string): { names: string[]; cells: string[] }[] {
  const content = readPage(page);
  const at = content.indexOf(start);
  if (at === -1) throw new Error(`${page} has no "${start}"`);
  const [table = ""] = /(^\|.*\n)+/m.exec(content.slice(at)) ?? [];
  return table
    .trim()
    .split("\n")
    .slice(2)
    .map((row) => {
      const cells = row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { names: codeSpansOf(cells[0] ?? ""), cells };
    });
}

export function codeSpansOf(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = ""]) => span);
}
