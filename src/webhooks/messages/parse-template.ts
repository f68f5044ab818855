import type { Style } from "./runs.ts";

// A template is text with placeholders, such as {{link.title}} or {{link.title|no title}}, and with mark-up that means the same
// for each chat service: **bold**, *italic*, _italic_, ~~struck~~, `code` and [text](https://example.com/). A backslash before a
// sign takes its meaning away. Mark-up is read before values are known, so no value can be mark-up.

export interface Placeholder {
  name: string;
  /** What stands there if the event has no value; null: none is given. */
  fallback: string | null;
}

export type Piece = string | Placeholder;

/** A piece with its style. With `target`, it is part of a link. */
export interface Part extends Style {
  piece: Piece;
  target?: readonly Piece[] | undefined;
}

interface Parsed {
  parts: Part[];
  placeholders: Placeholder[];
  /** Braces without their counterpart, with the text beside them. */
  unclosed: string | null;
  unopened: string | null;
}

/** A sign after a backslash, or a placeholder. */
const ATOM = /\\([!-/:-@[-`{-~])|\{\{([^{}]*)\}\}/g;

/** Where an atom was: its number between two characters that no template has. */
const MARK = /\0(\d+)\0/;

const SPAN =
  /`([^`\n]+)`|\*\*(.+?)\*\*(?!\*)|~~(.+?)~~|\*(?![\s*])((?:[^*]|\*\*[^*]+\*\*)+?)(?<!\s)\*(?!\*)|(?<![\p{L}\p{N}_])_(?![\s_])([^_]+?)(?<!\s)_(?![\p{L}\p{N}_])|\[([^[\]]+)\]\(([^()\s]*)\)/gsu;

export function parseTemplate(template: string): Parsed {
  const atoms: Piece[] = [];
  const marked = template.replaceAll(ATOM, (_, sign: string | undefined, inner: string | undefined) => {
    atoms.push(sign ?? toPlaceholder(inner ?? ""));
    return `\0${atoms.length - 1}\0`;
  });
  return {
    parts: toParts(marked, {}, atoms),
    placeholders: atoms.filter((atom) => typeof atom !== "string"),
    unclosed: /\{\{[^\s{}\0]*/.exec(marked)?.[0] ?? null,
    unopened: /[^\s{}\0]*\}\}/.exec(marked)?.[0] ?? null,
  };
}

function toPlaceholder(inner: string): Placeholder {
  const [name = "", ...fallback] = inner.split("|");
  return { name: name.trim(), fallback: fallback.length === 0 ? null : fallback.join("|").trim() };
}

type Context = Omit<Part, "piece">;

function toParts(text: string, context: Context, atoms: readonly Piece[]): Part[] {
  const parts: Part[] = [];
  const add = (plain: string, style: Context = context) => {
    for (const piece of toPieces(plain, atoms)) parts.push({ ...style, piece });
  };
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    add(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [inner, added] = readSpan(match, atoms);
    // A style in itself would only nest, without end.
    if (Object.keys(added).some((key) => key in context)) add(match[0]);
    else if (added.code) add(inner, { ...context, ...added });
    else parts.push(...toParts(inner, { ...context, ...added }, atoms));
  }
  add(text.slice(end));
  return parts;
}

/** The text within the mark-up, and what the mark-up makes of it. */
function readSpan(match: RegExpExecArray, atoms: readonly Piece[]): [inner: string, added: Context] {
  const [, code, bold, strike, star, underscore, label, target] = match;
  if (code !== undefined) return [code, { code: true }];
  if (bold !== undefined) return [bold, { bold: true }];
  if (strike !== undefined) return [strike, { strike: true }];
  if (label !== undefined) return [label, { target: toPieces(target ?? "", atoms) }];
  return [star ?? underscore ?? "", { italic: true }];
}

/** Plain text and atoms, in their order. Neighbouring texts are one. */
function toPieces(text: string, atoms: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(MARK).entries()) {
    const piece = index % 2 === 0 ? part : (atoms[Number(part)] ?? "");
    const last = pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") pieces[pieces.length - 1] = last + piece;
    else if (piece !== "") pieces.push(piece);
  }
  return pieces;
}
