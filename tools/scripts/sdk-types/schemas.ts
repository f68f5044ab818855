// Which schemas of the OpenAPI document become types of the SDK, and under which names. Pure.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string | undefined;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** The queries that methods take as an object, by their operations. `format` is for `client.fetch()`, which gets files. */
const QUERIES: Record<string, string> = {
  CheckSlug: "checkSlug",
  CursorQuery: "listBulkJobs",
  DeleteDomain: "deleteDomain",
  GetClicks: "getClicks",
  GetLinkClicks: "getLinkClicks",
  GetLinkQrCode: "getLinkQrCode",
  ListClicks: "listClicks",
  ListDeliveries: "listDeliveries",
  ListLinkClicks: "listLinkClicks",
  ListLinks: "listLinks",
  ListOrphanVisits: "listOrphanVisits",
  ListRequests: "listRequests",
  ListTags: "listTags",
  PageQuery: "listKeys",
  PollListener: "pollListener",
  RevokeKey: "revokeKey",
  UploadImport: "uploadFileToImport",
  WatchClicks: "watchClicks",
};
const WITHOUT_FORMAT: ReadonlySet<string> = new Set(["ListClicks", "ListLinkClicks"]);

/** Bodies that are no component of the document, by their operations. */
const BODIES: Record<string, string> = { MakeQrCode: "makeQrCode", StartExport: "startExport" };

/** Responses that are no component of the document, by their operations. */
const RESPONSES: Record<string, string> = {
  CurrentKey: "getCurrentKey",
  ShortenedLink: "quickShorten",
  VerifiedDomain: "verifyDomain",
};

/** Components that have another name in the SDK. */
const RENAMED: Record<string, string> = { Error: "ErrorBody" };

/** Bodies in which a single tag can be a text: the methods make a list of it. */
const WITH_SINGLE_TAG = ["CreateLink", "UpdateLink", "UpsertLink"];

/** A moment as programs give it. With this format, a type is `Date`. */
const TIME: Schema = {
  description: "A `Date`, Unix milliseconds, ISO 8601 with `Z` or an offset, or a day in UTC such as `2030-01-31`.",
  anyOf: [{ type: "string", format: "date-time" }, { type: "number" }, { type: "string" }],
};
const TIME_REF: Schema = { $ref: "#/components/schemas/Time" };

/** The parameters of queries that are times. */
const TIMES: ReadonlySet<string> = new Set(["start", "end", "createdAfter", "createdBefore"]);

/** The schemas of the types by their names: those of requests and responses, and what they refer to. */
export function sdkSchemas(document: Document): Record<string, Schema> {
  const operations = operationsOf(document);
  const find = (id: string) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
    return operation;
  };
  const { schemas } = document.components;
  const components = namesIn(document, [operations, document.webhooks]).map((name) => [
    RENAMED[name] ?? name,
    schemas[name] ?? {},
  ]);
  const all: Record<string, Schema> = {
    ...(Object.fromEntries(components) as Record<string, Schema>),
    ...mapValues(QUERIES, (id, name) => queryOf(document, find(id), WITHOUT_FORMAT.has(name))),
    ...mapValues(BODIES, (id) => jsonOf(find(id).requestBody)),
    ...mapValues(RESPONSES, (id) => jsonOf(successOf(find(id)))),
  };
  const { links, count } = jsonOf(successOf(find("listLinks"))).properties ?? {};
  const types = mapValues({ ...all, ListedLink: links?.items ?? {}, LinkCount: count ?? {} }, simplify);
  for (const name of WITH_SINGLE_TAG) allowSingleTag(types[name]);
  allowSingleTag(types["UpdateLinks"]?.properties?.["changes"]);
  return { Time: TIME, ...types };
}

/** The operations that have methods: all but those of mails. */
function operationsOf({ paths }: Document): Operation[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => !tags.includes("Mails"));
}

/** The names of the component schemas that the value refers to, directly or through others. */
function namesIn({ components }: Document, value: unknown): string[] {
  const names = new Set<string>();
  const visit = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    const { $ref } = each as Schema;
    const name = $ref?.startsWith("#/components/schemas/") ? nameOf($ref) : undefined;
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      visit(components.schemas[name]);
    }
    for (const member of Object.values(each)) visit(member);
  };
  visit(value);
  return [...names];
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

function queryOf({ components }: Document, { parameters = [] }: Operation, isWithoutFormat: boolean): Schema {
  const optional = parameters
    .map((parameter) => components.parameters[nameOf(parameter.$ref ?? "")] ?? parameter)
    .filter((parameter) => parameter.in === "query" && parameter.required !== true)
    .filter(({ name }) => !(isWithoutFormat && name === "format"));
  const properties = optional.map(({ name, description, schema }) => [
    name,
    { ...valueInQuery(name, schema), description },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) as Record<string, Schema> };
}

/** A value as a program gives it. The client writes it as text. */
function valueInQuery(name: string, schema: Schema): Schema {
  if (TIMES.has(name)) return TIME_REF;
  if (schema.type === "array") return { anyOf: [schema, schema.items ?? {}] };
  return schema.enum?.join() === "true,false" ? { type: "boolean" } : schema;
}

function successOf({ responses }: Operation): Content | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
}

function jsonOf(content: Content | undefined): Schema {
  return content?.content?.["application/json"]?.schema ?? {};
}

function allowSingleTag({ properties }: Schema = {}): void {
  const { tags } = properties ?? {};
  if (properties === undefined || tags === undefined) throw new Error("A body has no tags.");
  const { description, items = {} } = tags;
  properties["tags"] = {
    description: `${description} A single one can be a text.`,
    anyOf: [{ type: "array", items }, items, { type: "null" }],
  };
}

/** The schema with what its type and the description tell. Times are as programs give them. */
function simplify(schema: Schema): Schema {
  const { $ref, type, description, required, properties, items, additionalProperties: more } = schema;
  if (isTime(schema)) return { anyOf: [TIME_REF, ...(schema.anyOf?.slice(2) ?? [])], description };
  const choices = (keyword: "allOf" | "anyOf" | "oneOf") =>
    schema[keyword] && { [keyword]: schema[keyword].map(simplify) };
  return {
    ...($ref !== undefined && { $ref: $ref.replace(/\w+$/, (name) => RENAMED[name] ?? name) }),
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(schema.enum !== undefined && { enum: schema.enum }),
    ...(required !== undefined && { required }),
    ...(properties !== undefined && { properties: mapValues(properties, simplify) }),
    ...(items !== undefined && { items: simplify(items) }),
    ...(more !== undefined && { additionalProperties: typeof more === "boolean" ? more : simplify(more) }),
    ...choices("allOf"),
    ...choices("anyOf"),
    ...choices("oneOf"),
  };
}

/** A time of a body, perhaps null. */
function isTime({ anyOf = [] }: Schema): boolean {
  const [integer, text] = anyOf;
  return integer?.type === "integer" && text?.type === "string" && Object.keys(text).length === 1;
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A, name: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
