import { exampleOf, resolve, type ApiDocument, type Entry, type Parameter } from "./document.ts";
import { javaScript, python, type Call } from "./programs.ts";

export const SAMPLE_LANGUAGES = ["curl", "JavaScript", "Python"] as const;
export type Language = (typeof SAMPLE_LANGUAGES)[number];

/** Returns a program that calls the operation. The key is in the environment variable `KEY`. */
export function sampleOf(api: ApiDocument, entry: Entry, language: Language): string {
  const call = callOf(api, entry);
  if (language === "curl") return curl(call);
  return language === "JavaScript" ? javaScript(call) : python(call);
}

function callOf(api: ApiDocument, { method, path, operation }: Entry): Call {
  const parameters = (operation.parameters ?? []).map((each) => resolve(api, each));
  const exampleFor = (parameter: Parameter) => String(parameter.example ?? exampleOf(api, parameter.schema));
  let url = (api.servers[0]?.url ?? "") + path;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (parameter.in === "path") url = url.replace(`{${parameter.name}}`, encodeURIComponent(exampleFor(parameter)));
    if (parameter.in === "query" && parameter.required === true) query.append(parameter.name, exampleFor(parameter));
  }
  if (query.size > 0) url += `?${query.toString()}`;
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  const schema = content?.schema;
  const isJson = type === "application/json" && schema !== undefined;
  const example = isJson ? (content?.example ?? exampleOf(api, schema)) : undefined;
  return {
    method,
    url,
    headers: type === undefined ? {} : { "Content-Type": type },
    needsKey: operation.security?.some((scheme) => "apiKey" in scheme) === true,
    body: example === undefined ? undefined : JSON.stringify(example, null, 2),
  };
}

function curl({ method, url, headers, needsKey, body }: Call): string {
  const lines = [
    `curl${method === "GET" || (method === "POST" && body !== undefined) ? "" : ` -X ${method}`} "${url}"`,
  ];
  if (needsKey) lines.push('-H "Authorization: Bearer $KEY"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H "${name}: ${value}"`);
  if (body !== undefined) lines.push(`-d '${body.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}
