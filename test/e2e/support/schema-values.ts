import * as fc from "fast-check";
import { hostileValue } from "./hostile.ts";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  description?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
  example?: unknown;
}

/** Values that requests use: keys, cookies of sessions, and ids of the caller and of another account. */
export interface World {
  keys: string[];
  /** Values of the header Cookie. */
  cookies: string[];
  /** That of the service. */
  origin: string;
  ids: string[];
  slugs: string[];
  /** Tokens of shared pages. */
  tokens: string[];
  hosts: string[];
}

/** Generates values that match the schema; rules that the document does not contain may be violated. */
export function valueOf(schemas: Record<string, Schema>, world: World, schema: Schema): fc.Arbitrary<unknown> {
  const again = (part: Schema) => valueOf(schemas, world, part);
  if (schema.$ref !== undefined) return again(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) return fc.oneof(...choices.map(again));
  if (schema.allOf !== undefined)
    return fc.tuple(...schema.allOf.map(again)).map((parts) => Object.assign({}, ...parts));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => again({ ...schema, type })));
  switch (schema.type ?? "anything") {
    case "string":
      return textOf(world, schema);
    case "integer":
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? 2 ** 31, Number.MAX_SAFE_INTEGER),
      });
    case "number":
      return fc.oneof(
        fc.constant(1_900_000_000_000),
        fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e15, noNaN: true }),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(again(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "object":
      return objectOf(schema, again);
    default:
      return hostileValue;
  }
}

function objectOf(schema: Schema, again: (part: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, again(part)])), {
    requiredKeys: required,
  });
  if (typeof additionalProperties !== "object") return named;
  return fc.dictionary(fc.constantFrom("DE", "us", "AT", "ZZ", "x"), again(additionalProperties), { maxKeys: 3 });
}

function textOf(world: World, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.format === "uuid") return fc.constantFrom(...world.ids);
  if (schema.format === "iri" || schema.format === "iri-reference")
    return fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.constant("https://example.com/"));
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const examples = schema.example === undefined ? [] : [fc.constant(schema.example)];
  const known = fc.constantFrom(...world.ids, ...world.slugs, ...world.hosts, "2030-01-31T12:00:00Z", "UTC");
  const any = fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) });
  return fc.oneof(...examples, known, any);
}
