import { expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { operationsIn, resolveShared, schemasIn } from "./support/openapi.ts";
import type { Schema } from "./support/schema-values.ts";

// What generators of typed clients need beyond a valid document: orval, @hey-api/openapi-ts, oapi-codegen and others make
// types of all schemas, name them by their places, and take 32 bits for a number whose size is not given.

const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
const document = resolveShared(await response.json());
const operations = operationsIn(document);
const components = Object.entries(document.components.schemas);

/** All schemas with the names of the properties that lead there. */
const schemas = [
  ...components.flatMap(([name, schema]) => schemasIn(schema, name)),
  ...operations.flatMap(([, { operationId = "", parameters = [], requestBody, responses }]) => [
    ...parameters.flatMap(({ name, schema }) => schemasIn(schema, `${operationId}.params.${name}`)),
    ...bodiesOf(requestBody).flatMap((schema) => schemasIn(schema, `${operationId}.body`)),
    ...Object.entries(responses).flatMap(([status, response]) =>
      bodiesOf(response).flatMap((schema) => schemasIn(schema, `${operationId}.${status}`)),
    ),
    ...Object.entries(responses).flatMap(([status, { headers = {} }]) =>
      Object.entries(headers).map(([name, { schema }]) => [`${operationId}.${status}.${name}`, schema] as const),
    ),
  ]),
];

function bodiesOf(part: { content?: Record<string, { schema: Schema }> } | undefined): Schema[] {
  return Object.values(part?.content ?? {}).map(({ schema }) => schema);
}

it("gives every number its size", () => {
  const numbers = schemas.filter(([, { type }]) => [type].flat().some((each) => /^(integer|number)$/.test(each ?? "")));
  expect(numbers.length).toBeGreaterThan(200);
  const sizeOf = ({ type }: Schema) => ([type].flat().includes("integer") ? "int64" : "double");
  const wrong = numbers.filter(([, schema]) => schema.format !== sizeOf(schema));
  expect(wrong.map(([place]) => place)).toEqual([]);
});

it("gives each type of its own a name of its own", () => {
  // Of orval: the words of the place, without all that cannot be in a name.
  const toTypeName = (place: string) =>
    place
      .replaceAll("[]", ".item")
      .split(/[^A-Za-z0-9]+/)
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join("");
  const isOwnType = ({ properties, anyOf, oneOf, enum: values }: Schema) =>
    (properties ?? anyOf ?? oneOf ?? values) !== undefined;
  const places = schemas.filter(([, schema]) => isOwnType(schema)).map(([place]) => place);
  expect(places.length).toBeGreaterThan(200);
  const byName = new Map<string, Set<string>>();
  for (const place of places) {
    const name = toTypeName(place);
    byName.set(name, (byName.get(name) ?? new Set()).add(place));
  }
  expect([...byName.values()].filter((found) => found.size > 1).map((found) => Array.from(found))).toEqual([]);
  const names = components.map(([name]) => name.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("names no schema as clients in Go name the function that makes another, or its null", () => {
  const names = new Set(components.map(([name]) => name));
  const taken = Array.from(names).flatMap((name) => [`New${name}`, `Nullable${name}`]);
  expect(taken.filter((name) => names.has(name))).toEqual([]);
});

it("says of every address in a response that it is one", () => {
  const addresses = components.flatMap(([component, { properties = {} }]) =>
    Object.entries(properties)
      // One with an `enum` is a filter.
      .filter(([name, { type, enum: values }]) => {
        return /(^u|U)rl$|^destination$/.test(name) && values === undefined && [type].flat().includes("string");
      })
      .map(([name, { format }]) => [`${component}.${name}`, format]),
  );
  expect(addresses.length).toBeGreaterThan(20);
  expect(addresses.filter(([, format]) => !/^[ui]ri(-reference)?$/.test(format ?? ""))).toEqual([]);
});

it("names header parameters as the documents do", () => {
  const headers = operations.flatMap(([, { parameters = [] }]) =>
    parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name),
  );
  const ofRequests = [...new Set(headers)].filter((name) => !name.startsWith("webhook-"));
  expect(ofRequests.toSorted()).toEqual([
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "User-Agent",
    "X-Service-Event",
    "X-Service-Signature",
  ]);
});
