// Programs that make a request, for the API reference and for the pages of the documents.

export interface Call {
  method: string;
  /** `$NAME` in it is an environment variable. */
  url: string;
  /** Without the key. */
  headers: Record<string, string>;
  needsKey: boolean;
  /** JSON with two spaces. */
  body: string | undefined;
}

/** A variable in a URL. */
const VARIABLE = /\$([A-Z_]+)/g;

export function javaScript({ method, url, headers, needsKey, body }: Call): string {
  const all = [
    ...(needsKey ? ["    Authorization: `Bearer ${process.env.KEY}`,"] : []),
    ...Object.entries(headers).map(([name, value]) => `    "${name}": "${value}",`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(all.length === 0 ? [] : ["  headers: {", ...all, "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(body, "  ")}),`]),
  ];
  const address = url.includes("$") ? `\`${url.replaceAll(VARIABLE, "${process.env.$1}")}\`` : `"${url}"`;
  const call = options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join("\n")}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

export function python({ method, url, headers, needsKey, body }: Call): string {
  const all = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['KEY']}",`] : []),
    ...Object.entries(headers).map(([name, value]) => `        "${name}": "${value}",`),
  ];
  const options = [
    url.includes("$") ? `    f"${url.replaceAll(VARIABLE, "{os.environ['$1']}")}",` : `    "${url}",`,
    `    method="${method}",`,
    ...(all.length === 0 ? [] : ["    headers={", ...all, "    },"]),
    ...(body === undefined ? [] : [`    data=json.dumps(${indent(toPython(body), "    ")}).encode(),`]),
  ];
  const imports = [
    body === undefined ? "" : "json",
    needsKey || url.includes("$") ? "os" : "",
    "urllib.request",
  ].filter(Boolean);
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
