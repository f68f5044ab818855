import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it, onTestFinished } from "vitest";
import { z } from "@hono/zod-openapi";
import { app, documents } from "../../src/app.ts";
import { EVENT_TYPES } from "../../src/platform/outbox/event-types.ts";
import { checkerFor, componentOf, exampleOf, operationsIn, resolveShared, schemasIn } from "./support/openapi.ts";
import type { Schema } from "./support/schema-values.ts";

// Rules for every part of the document for contributors, so that a new operation or field fails here until it is documented. The
// tests are apart from those in test/platform/http, because the validators need Node.

const document = resolveShared(JSON.parse(JSON.stringify(documents.ofAll("https://tern.test"))));
/** Both documents: that of the API, which every installation serves, and that of all operations. */
const texts = [documents.ofApi, documents.ofAll].map((at) => JSON.stringify(at("https://tern.test")));
const operations = operationsIn(document);
const check = checkerFor(document);

/** All schemas, with their places. */
const schemas = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => schemasIn(schema, name)),
  ...operations.flatMap(([name, { requestBody, responses }]) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).flatMap(({ schema }) => schemasIn(schema, name)),
    ),
  ),
];
const parameters = operations.flatMap(([name, { parameters = [] }]) =>
  parameters.map((parameter) => ({ ...parameter, place: `${name} ${parameter.name}` })),
);

it("is a valid OpenAPI 3.1 document of moderate size", async () => {
  for (const text of texts)
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
  const [ofApi = "", ofAll = ""] = texts;
  console.log(`documents: ${ofApi.length} and ${ofAll.length} characters`);
  // The errors, the headers and most parameters are written once.
  expect(ofApi.length).toBeLessThan(433_000);
});

it.each(texts)("has no error and no warning in Redocly's linter", async (text) => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.json"), text);
  const { stdout } = await promisify(execFile)(
    "node_modules/.bin/redocly",
    ["lint", join(folder, "openapi.json"), "--config=redocly.yaml", "--format=json"],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  ).catch((error: { stdout: string }) => error);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string; location: unknown }[] };
  expect(problems).toEqual([]);
});

it("names and describes every operation, event, tag, parameter and header", () => {
  const missing: string[] = [];
  const ids = operations.map(([, { operationId = "" }]) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const [name, { operationId, summary, description, tags: used = [], security, responses }] of operations) {
    if (!/^[a-z][A-Za-z]+$/.test(operationId ?? "")) missing.push(`${name}: operationId`);
    if (!summary) missing.push(`${name}: summary`);
    if (!description) missing.push(`${name}: description`);
    if (security === undefined) missing.push(`${name}: security`);
    if (used.length === 0 || used.some((tag) => !tags.get(tag))) missing.push(`${name}: tag with a description`);
    for (const [status, { headers = {}, description }] of Object.entries(responses)) {
      if (!description) missing.push(`${name} ${status}: description`);
      for (const [header, value] of Object.entries(headers))
        if (!value.description) missing.push(`${name} ${status} ${header}: description`);
    }
  }
  for (const { place, description } of parameters) if (!description) missing.push(`${place}: description`);
  expect(missing).toEqual([]);
});

it("describes every schema and every property", () => {
  // What may be null needs a description beside the reference, which says what null means.
  const isDescribed = (schema: Schema) => Boolean(schema.description ?? componentOf(document, schema).description);
  const missing = Object.entries(document.components.schemas).filter(([, schema]) => !isDescribed(schema));
  const properties = schemas.flatMap(([place, { properties = {} }]) =>
    Object.entries(properties).map(([name, property]) => [`${place}.${name}`, property] as const),
  );
  expect(properties.length).toBeGreaterThan(300);
  missing.push(
    ...properties
      .filter(([, property]) => !isDescribed(property))
      .map(([name, schema]) => [name, schema] as [string, Schema]),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

it("has an example, itself or made of its parts, for every component, request and JSON response", () => {
  const bodies = operations.flatMap(([name, { requestBody, responses }]) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.entries(part?.content ?? {})
        .filter(([type]) => type === "application/json")
        .map(([, { schema }]) => [name, schema] as const),
    ),
  );
  const all = [...Object.entries(document.components.schemas), ...bodies];
  expect(all.filter(([, schema]) => exampleOf(document, schema) === undefined).map(([name]) => name)).toEqual([]);
  for (const [name, schema] of all) expect(check(schema, exampleOf(document, schema)), name).toBeNull();
});

it("has no example that its schema refuses", () => {
  const places: [string, Schema][] = [
    ...schemas,
    ...parameters.map(({ place, schema }): [string, Schema] => [place, schema]),
  ];
  const given = places.filter(([, { example }]) => example !== undefined);
  expect(given.length).toBeGreaterThan(100);
  for (const [place, schema] of given) expect(check(schema, schema.example), place).toBeNull();
  const defaults = places.filter(([, schema]) => schema.default !== undefined);
  expect(defaults.length).toBeGreaterThan(10);
  for (const [place, schema] of defaults) expect(check(schema, schema.default), place).toBeNull();
});

/** The schemas that validate requests, with the names of their operations. */
const contracts = app.openAPIRegistry.definitions.flatMap((definition) => {
  if (definition.type !== "route") return [];
  const { method, path, request = {} } = definition.route;
  const { body, query, headers } = request;
  return [
    {
      name: `${method.toUpperCase()} ${path}`,
      // A file is not described by a contract.
      content: Object.fromEntries(
        Object.entries(body?.content ?? {}).filter(([, media]) => "safeParse" in schemaOf(media)),
      ),
      query,
      headers: headers as z.ZodObject | undefined,
    },
  ];
});

function schemaOf(media: object | undefined): z.ZodType {
  return (media as { schema: z.ZodType }).schema;
}

it("has examples of requests that the contracts accept", () => {
  let accepted = 0;
  for (const { name, content, query, headers } of contracts) {
    const operation = operations.find(([found]) => found === name)?.[1];
    for (const [type, media] of Object.entries(content ?? {})) {
      const example = exampleOf(document, operation?.requestBody?.content[type]?.schema ?? {});
      expect(schemaOf(media).safeParse(example), name).toMatchObject({ success: true });
      accepted++;
    }
    for (const parameter of operation?.parameters ?? []) {
      const { example = parameter.schema.default } = parameter.schema;
      const contract =
        parameter.in === "query" ? (query as z.ZodObject) : parameter.in === "header" ? headers : undefined;
      const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
      const schema = contract?.shape[name] as z.ZodType | undefined;
      if (schema === undefined || example === undefined) continue;
      expect(
        schema.safeParse(typeof example === "string" || Array.isArray(example) ? example : JSON.stringify(example)),
        `${name} ${parameter.name}`,
      ).toMatchObject({ success: true });
      accepted++;
    }
  }
  expect(accepted).toBeGreaterThan(40);
});

/** The object that a body is, or the alternatives for it. */
function objectsOf(schema: z.ZodType): z.ZodObject[] {
  return (schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema]) as z.ZodObject[];
}

it("allows null where the contracts do, and nowhere else", () => {
  let nullable = 0;
  for (const { name, content } of contracts) {
    const operation = operations.find(([found]) => found === name)?.[1];
    for (const [type, media] of Object.entries(content ?? {})) {
      const whole = componentOf(document, operation?.requestBody?.content[type]?.schema ?? {});
      const alternatives = whole.oneOf ?? [whole];
      for (const [index, { shape }] of objectsOf(schemaOf(media)).entries()) {
        const documented = componentOf(document, alternatives[index] ?? {});
        expect(Object.keys(documented.properties ?? {}).toSorted(), name).toEqual(Object.keys(shape).toSorted());
        for (const [field, contract] of Object.entries(shape)) {
          const taken = contract.safeParse(null).success;
          const schema = documented.properties?.[field] ?? {};
          expect([`${name} ${field}`, check(schema, null) === null]).toEqual([`${name} ${field}`, taken]);
          if (taken) nullable++;
        }
      }
    }
  }
  expect(nullable).toBeGreaterThan(20);
  const components = Object.entries(document.components.schemas);
  expect(components.filter(([, schema]) => check(schema, null) === null).map(([name]) => name)).toEqual([]);
});

it("bounds every text, list and number of a request", () => {
  const requests = operations.flatMap(([name, { requestBody, parameters = [] }]) => {
    const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }): [string, Schema] => [name, schema]);
    return bodies.concat(parameters.map((parameter) => [`${name} ${parameter.name}`, parameter.schema]));
  });
  const unbounded = requests.flatMap(([name, schema]) => Array.from(unboundedIn(schema, name)));
  expect([...new Set(unbounded)]).toEqual([]);
});

/**
 * The places without a bound. What keeps unknown members is bounded by its size as JSON, a file by the limit that its description names, and a time, which is a number or
 * a text, by its form.
 */
function* unboundedIn(use: Schema, place: string): Generator<string> {
  const schema = componentOf(document, use);
  const types = new Set([schema.type].flat());
  if (isLoose(schema) || isLoose(schema.items ?? {}) || isTime(schema)) return;
  const isChoice = schema.enum !== undefined || schema.const !== undefined;
  const isText =
    schema.maxLength !== undefined || schema.pattern !== undefined || /^(uuid|binary)$/.test(schema.format ?? "");
  if (types.has("string") && !isChoice && !isText) yield `${place}: maxLength`;
  if (types.has("array") && schema.maxItems === undefined) yield `${place}: maxItems`;
  const maximum = schema.maximum ?? schema.exclusiveMaximum;
  if ((types.has("integer") || types.has("number")) && !isChoice && maximum === undefined) yield `${place}: maximum`;
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* unboundedIn(property, `${place}.${name}`);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* unboundedIn(part, place);
  if (schema.items !== undefined) yield* unboundedIn(schema.items, `${place}[]`);
  if (typeof schema.additionalProperties === "object") yield* unboundedIn(schema.additionalProperties, `${place}.*`);
}

function isLoose({ properties, additionalProperties }: Schema): boolean {
  return properties !== undefined && additionalProperties !== false;
}

function isTime({ anyOf = [] }: Schema): boolean {
  return ["integer", "string"].every((name) => anyOf.some(({ type }) => type === name));
}

it("describes the deliveries of every event type, with the headers of signatures", () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(EVENT_TYPES.toSorted());
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const headers = (post?.parameters ?? []).map(({ name }) => name);
    expect(headers).toEqual(expect.arrayContaining(["X-Service-Signature", "X-Service-Event", "webhook-signature"]));
    const body = exampleOf(document, post?.requestBody?.content["application/json"]?.schema ?? {});
    expect(body).toEqual({ event: type, timestamp: expect.any(Number), data: expect.any(Object) });
  }
});
