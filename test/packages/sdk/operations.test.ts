import { expect, it } from "vitest";
import { List, Tern } from "@tern/sdk";
import { exampleOf } from "../../e2e/support/openapi.ts";
import type { Schema } from "../../e2e/support/schema-values.ts";
import {
  METHODS,
  optionalQuery,
  ownArguments,
  parametersIn,
  publicOperations,
  readDocument,
  resultOf,
  successOf,
  type PublicOperation,
} from "./support/operations.ts";

const KEY = `svc_sk_live_${"0f".repeat(32)}`;
const { document } = await readDocument();
const operations = publicOperations(document);

/** A request that the client sent. */
interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
}

/** Calls the method of an operation with the examples of the document, and responds with its example. */
async function callWithExamples(operation: PublicOperation) {
  const { status, content } = successOf(operation);
  const schema = content["application/json"]?.schema;
  const example = schema === undefined ? "file" : exampleOf(document, schema);
  const sent: Sent[] = [];
  const client = new Tern({
    apiKey: KEY,
    baseUrl: "https://tern.test/",
    fetch: async (url, init) => {
      const request = new Request(url, init);
      sent.push({
        method: request.method,
        url: new URL(request.url),
        headers: request.headers,
        body: await request.text(),
      });
      return schema === undefined
        ? new Response(status === 200 ? "file" : null, { status })
        : Response.json(example, { status });
    },
  });
  const [namespace = "", name = ""] = (METHODS[operation.operationId] ?? "").split(".");
  const target = client[namespace as keyof Tern] as unknown as Record<string, (...input: unknown[]) => unknown>;
  const input = inputOf(operation);
  const result = target[name]?.(...input.values);
  return { sent, example, input, result: result instanceof List ? await result.page() : await result };
}

function inputOf(operation: PublicOperation) {
  const valueOf = ({ schema }: { schema: Schema }) => String(exampleOf(document, schema));
  const path = parametersIn(operation, "path").map(valueOf);
  const own = ownArguments(operation);
  const query = Object.fromEntries(
    optionalQuery(operation)
      .filter(({ name }) => name !== "format")
      .map(({ name, schema }) => [name, exampleOf(document, schema) ?? schema.default ?? 1]),
  );
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body = media === undefined ? undefined : exampleOf(document, media.schema);
  const hasQuery = optionalQuery(operation).length > 0;
  const named = own.filter((parameter) => parameter.in === "query").map((each) => [each.name, valueOf(each)]);
  return {
    type,
    path,
    query: { ...Object.fromEntries(named), ...query },
    body,
    values: [...own.map(valueOf), ...(body === undefined ? [] : [body]), ...(hasQuery ? [query] : [])],
  };
}

it("has one method for each operation that a key or nobody may call, and no other", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(Object.keys(METHODS).sort()).toEqual(ids.toSorted());
  console.log(`sdk: ${ids.length} operations`);
  const client = new Tern({ apiKey: KEY, baseUrl: "https://tern.test" });
  const methods = Object.entries(client).flatMap(([namespace, value]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(value))
      .filter((name) => name !== "constructor")
      .map((name) => `${namespace}.${name}`),
  );
  expect(methods.sort()).toEqual(Object.values(METHODS).sort());
});

const calls = operations.filter(({ operationId }) => operationId !== "watchClicks");

it.each(calls.map((operation) => [METHODS[operation.operationId] ?? operation.operationId, operation] as const))(
  "%s sends what the document says, and returns what it says",
  async (_, operation) => {
    const { sent, example, input, result } = await callWithExamples(operation);
    expect(sent).toHaveLength(1);
    const [{ method, url, headers, body } = {} as Sent] = sent;
    expect(method).toBe(operation.method);
    let number = 0;
    expect(decodeURIComponent(url.pathname)).toBe(
      operation.path.replaceAll(/\{\w+\}/g, () => input.path[number++] ?? ""),
    );
    const query = Object.entries(input.query).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, `${each as string | number | boolean}`]),
    );
    expect([...url.searchParams]).toEqual(query);
    expect(headers.get("Authorization")).toBe(`Bearer ${KEY}`);
    const isKeyed = parametersIn(operation, "header").some(({ name }) => name.toLowerCase() === "idempotency-key");
    expect(headers.has("Idempotency-Key")).toBe(isKeyed);
    expect(headers.get("Content-Type")).toBe(input.type ?? null);
    if (input.type === "application/json") expect(JSON.parse(body)).toEqual(input.body);

    const expected = resultOf(operation);
    if (expected.kind === "response") expect(result).toBeInstanceOf(Response);
    else if (expected.kind === "nothing") expect(result).toBeUndefined();
    else if (expected.kind === "member") expect(result).toEqual((example as Record<string, unknown>)[expected.name]);
    else expect(result).toEqual(example);
  },
);
