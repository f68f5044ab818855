// The parts of the OpenAPI 3.1 document that the reference shows.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  content?: Record<string, { schema?: Schema; example?: unknown }>;
  description?: string;
  $ref?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];

/** An operation, or an event that the service sends. */
export interface Entry {
  /** Its anchor on the page. */
  id: string;
  /** In capitals; `EVENT` for what the service sends. */
  method: string;
  /** The path, or the name of the event. */
  path: string;
  operation: Operation;
}

export interface Group {
  name: string;
  description: string;
  entries: Entry[];
}

/** Returns the operations and the events in the order of the document, by their tags. */
export function groupEntries(api: ApiDocument): Group[] {
  const entries: Entry[] = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined
        ? []
        : [{ id: operation.operationId, method: method.toUpperCase(), path, operation }];
    }),
  );
  for (const [event, { post }] of Object.entries(api.webhooks))
    entries.push({ id: post.operationId, method: "EVENT", path: event, operation: post });
  const byTag = Map.groupBy(entries, ({ operation }) => operation.tags[0] ?? "");
  return api.tags.flatMap(({ name, description }) => {
    const own = byTag.get(name);
    return own === undefined ? [] : [{ name, description, entries: own }];
  });
}

/** Returns what a reference stands for, or the value itself. */
export function resolve<T extends { $ref?: string }>(api: ApiDocument, value: T): T {
  if (value.$ref === undefined) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const found = api.components[kind]?.[name];
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`);
  return found as T;
}

/** Returns the name behind a reference, such as `Link`. */
export function refName(schema: Schema): string | undefined {
  return schema.$ref?.split("/").at(-1);
}

/** Examples are no deeper than this. */
const MAX_EXAMPLE_LEVELS = 6;

/** Returns an example of a value of the schema. */
export function exampleOf(api: ApiDocument, given: Schema, level = 0): unknown {
  const schema = resolve(api, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (level >= MAX_EXAMPLE_LEVELS) return null;
  const one = (schema.anyOf ?? schema.oneOf)?.find((each) => resolve(api, each).type !== "null");
  if (one !== undefined) return exampleOf(api, one, level + 1);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((each) => exampleOf(api, each, level + 1)));
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, exampleOf(api, each, level + 1)]),
    );
  if (schema.items !== undefined) return [exampleOf(api, schema.items, level + 1)];
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return type === "string" ? "text" : {};
}
