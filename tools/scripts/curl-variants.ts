import { javaScript, python, type Call } from "../../dashboard/src/docs/programs.ts";

interface Variant {
  name: string;
  language: string;
  code: string;
}

/** The same request in other languages, if the shell code is one call of curl and nothing else; otherwise none. */
export function variantsOf(code: string): Variant[] {
  const call = readCurl(code);
  if (call === null) return [];
  return [
    { name: "JavaScript", language: "js", code: javaScript(call) },
    { name: "Python", language: "py", code: python(call) },
  ];
}

/** A word of the shell: parts in quotation marks, or without. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"|&;<>()`\\]|\\[^\n])+/y;
const SPACE = /(?:\s|\\\n)+/y;

/** Reads a call of curl with the options that the documents use. Returns null for everything else. */
export function readCurl(code: string): Call | null {
  const words = readWords(code.trim());
  if (words === null || words.shift() !== "curl") return null;
  let method: string | undefined;
  let url: string | undefined;
  let body: string | undefined;
  let needsKey = false;
  const headers: Record<string, string> = {};
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-X") method = words.shift();
    else if (word === "--json") {
      body = words.shift();
      headers["Content-Type"] = "application/json";
    } else if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(/: (.*)/s);
      if (name === "Authorization" && value === "Bearer $KEY") needsKey = true;
      else headers[name] = value;
    } else if (word.startsWith("-")) {
      // What it prints does not matter to the other programs.
      if (word !== "-s" && word !== "-i") return null;
    } else if (url === undefined) url = word;
    else return null;
  }
  if (url === undefined || /^https?:|^__ORIGIN__/.exec(url) === null) return null;
  const json = body === undefined ? undefined : formatted(body);
  if (body?.includes("$") === true) return null;
  if (json === null || Object.values(headers).some((value) => value.includes("$"))) return null;
  return { method: method ?? (body === undefined ? "GET" : "POST"), url, headers, needsKey, body: json };
}

function readWords(code: string): string[] | null {
  const words: string[] = [];
  for (let position = 0; position < code.length;) {
    WORD.lastIndex = position;
    const word = WORD.exec(code)?.[0];
    if (word === undefined) return null;
    words.push(
      word.replaceAll(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
        (_, single?: string, double?: string, escaped?: string) =>
          single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
      ),
    );
    position = WORD.lastIndex;
    SPACE.lastIndex = position;
    if (position < code.length && SPACE.exec(code) === null) return null;
    position = Math.max(position, SPACE.lastIndex);
  }
  return words;
}

/** JSON with two spaces; null for what is no JSON, such as a body with variables or from a file. */
function formatted(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return null;
  }
}
