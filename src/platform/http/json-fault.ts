import type { JsonProblem } from "./fault-sentences.ts";

/** Where a text stops being JSON (RFC 8259), and why. Line and column begin with 1; a column is a UTF-16 code unit. */
export interface JsonFault {
  line: number;
  column: number;
  problem: JsonProblem;
}

/** Returns the first fault of a text that `JSON.parse` refuses; null if it has none. Its nesting must be bounded. */
export function findJsonFault(text: string): JsonFault | null {
  try {
    const end = skipSpaces(text, endOfValue(text, skipSpaces(text, 0)));
    if (end < text.length) throw new Fault(end, "after_end");
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.index);
    const line = before.split("\n").length;
    return { line, column: error.index - (before.lastIndexOf("\n") + 1) + 1, problem: error.problem };
  }
}

class Fault extends Error {
  readonly index: number;
  readonly problem: JsonProblem;

  constructor(index: number, problem: JsonProblem) {
    super(problem);
    this.index = index;
    this.problem = problem;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$]+/uy;
const SPACES = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Each of these returns the index behind what begins at `start`, or throws a {@link Fault}. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === "{") return endOfList(text, start, "}", endOfMember);
  if (first === "[") return endOfList(text, start, "]", endOfValue);
  if (first === '"') return endOfString(text, start);
  const number = endOf(NUMBER, text, start);
  if (number > start) return number;
  const word = text.slice(start, endOf(WORD, text, start));
  if (word === "true" || word === "false" || word === "null") return start + word.length;
  throw new Fault(start, word === "" ? toProblem(first, "no_value") : "not_a_value");
}

function endOfList(text: string, start: number, closer: "}" | "]", endOfItem: typeof endOfValue): number {
  let index = skipSpaces(text, start + 1);
  if (text[index] === closer) return index + 1;
  for (;;) {
    index = skipSpaces(text, endOfItem(text, index));
    if (text[index] === closer) return index + 1;
    if (text[index] !== ",") throw new Fault(index, toProblem(text[index], "no_comma"));
    const comma = index;
    index = skipSpaces(text, index + 1);
    if (text[index] === closer) throw new Fault(comma, "comma_too_many");
  }
}

function endOfMember(text: string, start: number): number {
  if (text[start] !== '"') {
    const isName = endOf(WORD, text, start) > start;
    throw new Fault(start, isName ? "no_quotes" : toProblem(text[start], "no_name"));
  }
  const colon = skipSpaces(text, endOfString(text, start));
  if (text[colon] !== ":") throw new Fault(colon, toProblem(text[colon], "no_colon"));
  return endOfValue(text, skipSpaces(text, colon + 1));
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] as string;
    if (character === '"') return index + 1;
    if (character < " ") throw new Fault(index, "control_character");
    if (character !== "\\") continue;
    const end = endOf(ESCAPE, text, index);
    if (end === index) throw new Fault(index, "bad_escape");
    index = end - 1;
  }
  throw new Fault(start, "open_text");
}

function skipSpaces(text: string, start: number): number {
  return endOf(SPACES, text, start);
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

function toProblem(found: string | undefined, missing: JsonProblem): JsonProblem {
  if (found === undefined) return "ends_early";
  return /['`‘’“”]/.test(found) ? "no_quotes" : missing;
}
