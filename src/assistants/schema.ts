import { z } from "@hono/zod-openapi";

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** The description of a field for assistants, and where needed its JSON Schema in place of the one made from the field. */
interface Note {
  description: string;
  json?: JsonSchema;
}

const notes = z.registry<Note>();

/**
 * A field of a contract as the input of a tool. It checks what the contract checks. `description` is shorter than the
 * contract's: the list of all tools must fit into an assistant's context.
 */
export function field<T extends z.ZodType>(schema: T, description: string, json?: JsonSchema): T {
  const copy = schema.clone();
  notes.add(copy, json === undefined ? { description } : { description, json });
  return copy;
}

/** A time of a contract. Assistants write times in ISO 8601. */
export function time<T extends z.ZodType>(schema: T, description: string): T {
  return field(schema, description, { type: schema.safeParse(null).success ? ["string", "null"] : "string" });
}

/** The JSON Schema of the input of a tool, short and without references. */
export function inputSchemaOf(input: z.ZodObject): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, value] of Object.entries(input.shape)) {
    properties[name] = describe(value as z.ZodType);
    if (!(value as z.ZodType).safeParse(undefined).success) required.push(name);
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
  };
}

function describe(schema: z.ZodType): JsonSchema {
  const note = notes.get(schema);
  const json = note?.json ?? toShortJson(schema instanceof z.ZodOptional ? schema.unwrap() : schema);
  return note === undefined ? json : { ...json, description: note.description };
}

function toShortJson(schema: z.core.$ZodType): JsonSchema {
  if (schema instanceof z.ZodObject) return inputSchemaOf(schema);
  const json = shorten(toJson(schema));
  const isListOfObjects = schema instanceof z.ZodArray && schema.element instanceof z.ZodObject;
  return isListOfObjects ? { ...json, items: inputSchemaOf(schema.element as z.ZodObject) } : json;
}

const toJson = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;

/** What assistants need not know: the API checks it, and its error says what is wrong. */
const LEFT_OUT = new Set([
  "$schema",
  "additionalProperties",
  "maximum",
  "maxItems",
  "maxLength",
  "minimum",
  "minItems",
  "minLength",
  "pattern",
  "propertyNames",
]);

function shorten(value: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = value;
  const choices = Array.isArray(anyOf) ? (anyOf as JsonSchema[]).map(shorten) : [];
  const first = choices.find(({ type }) => type !== "null") ?? {};
  const isNullable = choices.some(({ type }) => type === "null");
  const merged: JsonSchema = { ...first, ...rest };
  if (isNullable && typeof merged["type"] === "string") merged["type"] = [merged["type"], "null"];
  return Object.fromEntries(
    Object.entries(merged)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, part]) => [name, shortenPart(name, part)]),
  );
}

function shortenPart(name: string, part: unknown): unknown {
  if (name === "items") return shorten(part as JsonSchema);
  if (name !== "properties") return part;
  return Object.fromEntries(
    Object.entries(part as Record<string, JsonSchema>).map(([key, schema]) => [key, shorten(schema)]),
  );
}
