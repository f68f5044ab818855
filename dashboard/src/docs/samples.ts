import { exampleOf, resolve, type ApiDocument, type Entry, type Parameter } from "./document.ts";

export const LANGUAGES = ["curl", "JavaScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Call {
  method: string;
  url: string;
  /** Without the key. */
  headers: Record<string, string>;
  needsKey: boolean;
  /** JSON with two spaces. */
  body: string | undefined;
}

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

function javaScript({ method, url, headers, needsKey, body }: Call): string {
  const all = [
    ...(needsKey ? ["    Authorization: `Bearer ${process.env.KEY}`,"] : []),
    ...Object.entries(headers).map(([name, value]) => `    "${name}": "${value}",`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(all.length === 0 ? [] : ["  headers: {", ...all, "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(body, "  ")}),`]),
  ];
  const call = options.length === 0 ? `fetch("${url}")` : `fetch("${url}", {\n${options.join("\n")}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

function python({ method, url, headers, needsKey, body }: Call): string {
  const all = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['KEY']}",`] : []),
    ...Object.entries(headers).map(([name, value]) => `        "${name}": "${value}",`),
  ];
  const options = [
    `    "${url}",`,
    `    method="${method}",`,
    ...(all.length === 0 ? [] : ["    headers={", ...all, "    },"]),
    ...(body === undefined ? [] : [`    data=json.dumps(${indent(toPython(body), "    ")}).encode(),`]),
  ];
  const imports = [body === undefined ? "" : "json", needsKey ? "os" : "", "urllib.request"].filter(Boolean);
  return `import ${imports.join(", ")}

request = urllib.request.Request(
${options.join("\n")}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

function indent(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}

/** JSON whose literals are those of Python. */
function toPython(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g, (match, literal: string | undefined) =>
    literal === undefined
      ? match
      : { true: "True", false: "False", null: "None" }[literal as "true" | "false" | "null"],
  );
}
