import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { addExamples } from "../options.ts";
import { isTerminal, print } from "../output/terminal.ts";
import { readStdin } from "../prompt.ts";

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
    .option("--content-type <type>", "of the file", "application/json")
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
  if (!/^[A-Z]+$/.test(method)) throw new UsageError(`${verb} is no HTTP method.`);
  if (!path.startsWith("/")) throw new UsageError(`${path}: the path begins with a slash, such as /api/links.`);
  const fields = parseFields(texts);
  const response = await client.fetch(method, path, await contentOf(method, fields, options));
  if (options.include === true) printHead(response);
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("Content-Type") ?? "";
  if (bytes.length === 0) return;
  if (type.includes("json")) print(JSON.stringify(JSON.parse(bytes.toString("utf8")), null, 2));
  else if (isTerminal() && !type.startsWith("text/") && !type.includes("xml")) {
    throw new UsageError(`The answer is ${type}, which a terminal cannot show. Send it to a file with > FILE.`);
  } else process.stdout.write(bytes);
}

async function contentOf(method: string, fields: Record<string, unknown>, { input, contentType = "" }: ApiOptions) {
  const hasFields = Object.keys(fields).length > 0;
  if (input !== undefined) {
    if (hasFields) throw new UsageError("Fields and --input do not go together.");
    const file = new Blob([new Uint8Array(input === "-" ? await readStdin() : readInput(input))]);
    return { file, headers: { "Content-Type": contentType } };
  }
  if (!hasFields) return {};
  return method === "GET" || method === "HEAD" || method === "DELETE" ? { query: fields } : { body: fields };
}

function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** A field that is given twice becomes a list. */
function parseFields(texts: string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const text of texts) {
    const [, name, colon, value = ""] = /^([^=:]+)(:?)=([^]*)$/.exec(text) ?? [];
    if (name === undefined) throw new UsageError(`${text}: write a field as name=text or name:=JSON.`);
    const parsed = colon === ":" ? parseJson(text, value) : value;
    fields[name] = name in fields ? [fields[name], parsed].flat() : parsed;
  }
  return fields;
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
