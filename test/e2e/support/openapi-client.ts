import { exampleOf, type Document, type Operation } from "./openapi.ts";

// Writes a TypeScript program that uses the types of openapi-typescript, which the compiler then checks.

/** Calls every operation with openapi-fetch and receives every event, with the examples of the document. */
export function clientFor(document: Document): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callTo(document, path, method, operation)),
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post?.requestBody?.content["application/json"]?.schema ?? {};
    const body = `webhooks["${type}"]["post"]["requestBody"]["content"]["application/json"]`;
    return `const ${post?.operationId}: ${body} = ${JSON.stringify(exampleOf(document, schema))};\nuse(${post?.operationId}.data);`;
  });
  return [
    'import createClient from "openapi-fetch";',
    'import type { paths, webhooks } from "./types.ts";',
    'const client = createClient<paths>({ baseUrl: "https://tern.test" });',
    "const use = (..._: unknown[]): void => undefined;",
    ...calls,
    ...events,
  ].join("\n");
}

function callTo(document: Document, path: string, method: string, operation: Operation): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const params: Record<string, Record<string, unknown>> = {};
  for (const { name, in: place, schema } of parameters) {
    const example = exampleOf(document, schema) ?? schema.default;
    if (example !== undefined) (params[place] ??= {})[name] = example;
  }
  const [content] = Object.values(requestBody?.content ?? {});
  const body = content === undefined ? {} : { body: exampleOf(document, content.schema) };
  const options = JSON.stringify({ params, ...body });
  const call = `const ${operationId} = await client.${method.toUpperCase()}("${path}", ${options});`;
  return [call, ...fieldsOf(document, responses).map((field) => `use(${operationId}.data?.${field});`)].join("\n");
}

/** The fields that the JSON of each success has. Each must be in the type of the data. */
function fieldsOf(document: Document, responses: Operation["responses"]): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [first = [], ...others] = successes.map(([, { content = {} }]) =>
    Object.keys(content).join(",") === "application/json"
      ? Object.keys(content["application/json"]?.schema.properties ?? {})
      : [],
  );
  return first.filter((field) => others.every((fields) => fields.includes(field)));
}
