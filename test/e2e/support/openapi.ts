import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "./schema-values.ts";

// Reads an OpenAPI document.

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface MediaTypes {
  [type: string]: { schema: Schema };
}

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: MediaTypes;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: MediaTypes };
  responses: Record<string, Response>;
}

export interface Document {
  openapi: string;
  info: { license?: object; description?: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The document with the shared parameters, responses and headers in place of their references. References to schemas stay. */
export function resolveShared(document: unknown): Document {
  return resolve(document, document) as Document;
}

function resolve(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => resolve(item, document));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...beside } = part as { $ref?: unknown };
  // A description beside the reference replaces that of the component.
  if (typeof $ref === "string" && !$ref.startsWith("#/components/schemas/"))
    return { ...(resolve(find(document, $ref), document) as object), ...beside };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(value, document)]));
}

function find(document: unknown, ref: string): unknown {
  const steps = ref.split("/").slice(1);
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);
}

/** Every operation, and every delivery of an event, with a name such as `POST /api/links`. */
export function operationsIn({ paths, webhooks }: Document): [name: string, operation: Operation][] {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/** The schema of a component, for a reference to it; else the schema. */
export function componentOf({ components }: Document, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** A schema and all schemas in it, with the names of the properties that lead there. */
export function schemasIn(schema: Schema, place: string): [place: string, schema: Schema][] {
  return Array.from(walk(schema, place));
}

function* walk(schema: Schema, place: string): Generator<[place: string, schema: Schema]> {
  yield [place, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* walk(property, `${place}.${name}`);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* walk(part, place);
  if (schema.items !== undefined) yield* walk(schema.items, `${place}[]`);
  if (typeof schema.additionalProperties === "object") yield* walk(schema.additionalProperties, `${place}.*`);
}

/** The schema without references, in which no object may have a property that the document does not name. */
export function closed(document: Document, use: Schema): Schema {
  const again = (part: Schema) => closed(document, part);
  const { allOf = [], ...schema } = componentOf(document, use);
  const { properties = {}, required = [], items, anyOf, oneOf } = schema;
  const parts = allOf.map(again);
  const all = Object.assign({}, ...parts.map((part) => part.properties), mapValues(properties, again));
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    ...(Object.keys(all).length > 0 && {
      properties: all,
      required: [...parts.flatMap((part) => part.required ?? []), ...required],
      additionalProperties: false,
    }),
    ...(items !== undefined && { items: again(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(again) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(again) }),
  };
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** The example of a schema, or one that is made of the examples of its parts. undefined if there is none. */
export function exampleOf(document: Document, schema: Schema): unknown {
  const again = (part: Schema) => exampleOf(document, part);
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return again(componentOf(document, schema));
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choice !== undefined) return again(choice);
  if (schema.type === "boolean") return true;
  if (schema.type === "array") {
    const item = again(schema.items ?? {});
    return item === undefined ? undefined : [item];
  }
  if (schema.properties === undefined) return undefined;
  const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
  const parts = required.map(([name, property]) => [name, again(property)] as const);
  return parts.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(parts);
}

/** Returns what is wrong with a value, or null. */
export type Check = (schema: Schema, value: unknown) => string | null;

export function checkerFor({ components }: Document): Check {
  const ajv = new Ajv2020({
    strict: false,
    coerceTypes: false,
    formats: {
      uuid: UUID,
      uri: true,
      iri: true,
      "iri-reference": true,
      password: true,
      binary: true,
      int64: true,
      double: true,
    },
  });
  // Each has an id of its own: what is only a place in a document is compiled again for each schema that refers to it.
  for (const [name, schema] of Object.entries(components.schemas))
    ajv.addSchema({ ...(withIds(schema) as object), $id: name });
  // Most schemas are in the document many times, such as those of errors.
  const validators = new Map<Schema | string, ReturnType<typeof ajv.compile>>();
  const validatorOf = (schema: Schema) => {
    const text = JSON.stringify(schema);
    const validate = validators.get(text) ?? ajv.compile(withIds(schema) as Schema);
    validators.set(text, validate);
    validators.set(schema, validate);
    return validate;
  };
  return (schema, value) => {
    const validate = validators.get(schema) ?? validatorOf(schema);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const COMPONENT = "#/components/schemas/";

/** References to components become their ids. */
function withIds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withIds);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? value.replace(COMPONENT, "") : withIds(value),
    ]),
  );
}
