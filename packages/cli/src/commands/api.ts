import type { Command } from "commander";
import { readBytes } from "../client.ts";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { readInputFile } from "../input-file.ts";
import { addExamples } from "../options.ts";
import { isTerminal, print, printFile } from "../output/terminal.ts";
import { readStdin } from "../prompt.ts";

const JSON_TYPE = "application/json";

/** Methods whose fields are in the query. */
const QUERY_METHODS = ["GET", "HEAD", "DELETE"];
const METHODS = [...QUERY_METHODS, "POST", "PUT", "PATCH", "OPTIONS"];

interface ApiOptions {
  input?: string;
  contentType?: string;
  include?: boolean;
}

export function addApi(program: Command): void {
  const command = program
    .command("api")
    .description("send any request to the API, and print the answer")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "such as /api/links")
    .argument("[field...]", "name=text or name:=JSON; of GET and DELETE in the query, else in the JSON body")
    .option("--input <file>", "send this file as the body; - is stdin")
    .option("--content-type <type>", "of the file", JSON_TYPE)
    .option("-i, --include", "print the status and the headers too")
    .action(action(callApi));
  addExamples(command, [
    "tern api GET /api/links tag=sale limit=5",
    "tern api POST /api/links url=https://example.com/ maxClicks:=10 tags:='[\"sale\"]'",
    "echo '{\"title\": null}' | tern api PATCH /api/links/019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f --input -",
  ]);
}

async function callApi(context: Context<ApiOptions>, verb: string, path: string, texts: string[]): Promise<void> {
  const { client, options } = context;
  const method = verb.toUpperCase();
  if (!METHODS.includes(method)) throw new UsageError(`${verb} is no method of the API: use ${METHODS.join(", ")}.`);
  if (!path.startsWith("/")) throw new UsageError(`${path}: the path begins with a slash, such as /api/links.`);
  const fields = parseFields(texts);
  const response = await client.fetch(method, path, await contentOf(method, fields, options));
  if (options.include === true) printHead(response);
  printBody(response.headers.get("Content-Type") ?? "", await readBytes(response));
}

function printBody(type: string, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  if (/^application\/json\b/.test(type)) {
    printJson(decode(bytes));
  } else if (isTerminal() && !/^text\/|json|xml/.test(type)) {
    throw new RefusedError(
      `The answer is ${type || "a file"}, which a terminal cannot show. Send it to a file with > FILE.`,
    );
  } else printFile(bytes);
}

function printJson(text: string): void {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    print(text);
    throw new RefusedError("The answer is not the JSON that its Content-Type says.");
  }
  print(JSON.stringify(content, null, 2));
}

async function contentOf(method: string, fields: Record<string, unknown>, { input, contentType = "" }: ApiOptions) {
  const hasFields = Object.keys(fields).length > 0;
  if (input !== undefined) {
    if (hasFields) throw new UsageError("Fields and --input do not go together.");
    if (method === "GET" || method === "HEAD") throw new UsageError(`A ${method} has no body: leave out --input.`);
    if (!/^[\w.+-]+\/[\w.+-]+[ -~]*$/.test(contentType))
      throw new UsageError(`--content-type ${contentType}: write it like text/csv.`);
    const bytes = input === "-" ? await readStdin() : readInputFile(input);
    if (contentType === JSON_TYPE) checkJson(input, decode(bytes));
    return { file: new Blob([new Uint8Array(bytes)]), headers: { "Content-Type": contentType } };
  }
  if (!hasFields) return {};
  return QUERY_METHODS.includes(method) ? { query: fields } : { body: fields };
}

/** Without the byte order mark that some editors write. */
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function checkJson(file: string, text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const name = file === "-" ? "stdin" : file;
    throw new UsageError(
      `${name} is not valid JSON: ${(error as Error).message}. For another type, add --content-type.`,
    );
  }
}

/** A field that is given twice becomes a list. */
function parseFields(texts: string[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const text of texts) {
    const [, name, colon, value = ""] = /^([^=:]+)(:?)=([^]*)$/.exec(text) ?? [];
    if (name === undefined) throw new UsageError(`${text}: write a field as name=text or name:=JSON.`);
    const parsed = colon === ":" ? parseJson(text, value) : value;
    fields.set(name, fields.has(name) ? [fields.get(name), parsed].flat() : parsed);
  }
  return Object.fromEntries(fields);
}

function parseJson(text: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new UsageError(`${text}: what follows := is no JSON. For a text, write = in place of :=.`);
  }
}

function printHead({ status, statusText, headers }: Response): void {
  print(`HTTP ${status} ${statusText}`.trimEnd());
  for (const [name, value] of headers) print(`${name}: ${value}`);
  print("");
}
