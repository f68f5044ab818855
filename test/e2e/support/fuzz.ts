import * as fc from "fast-check";
import { hostileBody, hostileText, hostileValue } from "./hostile.ts";
import type { Document, Operation } from "./openapi.ts";
import { valueOf, type Schema, type World } from "./schema-values.ts";

// Generates valid, nearly valid and hostile requests from the OpenAPI document.

export interface FuzzRequest {
  /** For example `POST /api/links`; null: a path that the document does not contain. */
  operation: string | null;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Replaces the placeholders in a request with real ids. */
export function replaceIds(request: FuzzRequest, realIds: ReadonlyMap<string, string>): FuzzRequest {
  const replaced = (text: string) => text.replaceAll(/0{8}-0000-7000-8000-\d{12}/g, (id) => realIds.get(id) ?? id);
  const account = request.headers["X-Account-Id"];
  return {
    ...request,
    headers: { ...request.headers, ...(account !== undefined && { "X-Account-Id": replaced(account) }) },
    path: replaced(request.path),
    body: request.body === undefined ? undefined : replaced(request.body),
  };
}

/** Requests of each operation. */
export function eachOperation(document: Document, world: World): fc.Arbitrary<FuzzRequest>[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ofOperation(document, world, path, method, operation)),
  );
}

export function requestsOf(document: Document, world: World): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...eachOperation(document, world)) },
    { weight: 1, arbitrary: anywhere(world) },
    { weight: 1, arbitrary: visits(world) },
  );
}

function ofOperation(
  document: Document,
  world: World,
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
): fc.Arbitrary<FuzzRequest> {
  const value = (schema: Schema) =>
    mostly(valueOf(document.components.schemas, world, schema).map(String), hostileText);
  const query = parameters.filter((parameter) => parameter.in === "query");
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? ["application/json", undefined];
  const isForm = contentType === "application/x-www-form-urlencoded";
  const queryOf = fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, sometimes(value(schema))])));
  const unknownQuery = rarely(fc.tuple(hostileText, hostileText));
  return fc
    .record({
      id: mostly(fc.constantFrom(...world.ids), hostileText),
      slug: mostly(fc.constantFrom(...world.slugs), hostileText),
      token: mostly(fc.constantFrom(...world.tokens), hostileText),
      query: queryOf,
      unknownQuery,
      headers: headers(world, contentType, FOR_PERSONS.test(path)),
      body: content === undefined ? rarely(hostileBody) : bodyOf(document, world, content.schema),
    })
    .map((made) => {
      const search = new URLSearchParams(
        Object.entries(made.query).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
      );
      if (made.unknownQuery !== undefined) search.append(...made.unknownQuery);
      const parts: Record<string, string> = { slug: made.slug, token: made.token };
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(parts[name] ?? made.id));
      return {
        // An empty parameter makes the path of another operation.
        operation: address.endsWith("/") || address.includes("//") ? null : `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: address + (search.size === 0 ? "" : `?${search.toString()}`),
        headers: made.headers,
        body: isForm ? toForm(made.body) : made.body,
      };
    });
}

/** The body of this type for a JSON value: a form, a file for its text, or JSON. */
export function toBody(type: string, json: string | undefined): string | undefined {
  if (type === "text/csv") return JSON.parse(json ?? '""') as string;
  return type === "application/x-www-form-urlencoded" ? toForm(json) : json;
}

/** Converts the fields of a JSON object to those of a form. */
function toForm(body: string | undefined): string | undefined {
  try {
    return new URLSearchParams(Object.entries(JSON.parse(body ?? "{}") as object)).toString();
  } catch {
    return body;
  }
}

/** Paths that the document does not contain. */
function anywhere(world: World): fc.Arbitrary<FuzzRequest> {
  const segment = fc.oneof(fc.constantFrom("api", "links", "..", ".", "", "keys", "%2e%2e", "account"), hostileText);
  return fc
    .record({
      method: fc.constantFrom(...METHODS),
      segments: fc.array(segment, { maxLength: 5 }),
      headers: headers(world),
      body: rarely(hostileBody),
    })
    .map(({ method, segments, headers, body }) => ({
      operation: null,
      method,
      path: `/${segments.map(encode).join("/")}`,
      headers,
      body,
    }));
}

/** Visits to short links, at any host. */
function visits(world: World): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: fc.constantFrom("GET", "GET", "HEAD", "POST"),
      slug: mostly(fc.constantFrom(...world.slugs), hostileText),
      end: fc.constantFrom("", "", "", "+", "/", "?qr=1", "?a=b&a=%ff", "#x", "%2B"),
      host: fc.constantFrom(...world.hosts),
      headers: headers(world),
      body: rarely(hostileBody),
    })
    .map(({ method, slug, end, host, headers, body }) => ({
      operation: null,
      method,
      path: `/${encode(slug)}${end.replace("#", "%23")}`,
      headers: { ...headers, Host: host },
      body,
    }));
}

/** Operations that need a session, or that browsers without one call. */
export const FOR_PERSONS = /^\/api\/(account|auth|teams)\b/;

type Headers = Record<string, string | undefined>;

/** A key, a session, both, neither, or hostile text. Most operations get what they take. */
function credentials(world: World, isForPersons: boolean): fc.Arbitrary<Headers> {
  const key = fc.constantFrom(...world.keys).map((value): Headers => ({ Authorization: `Bearer ${value}` }));
  const session = fc
    .record({
      Cookie: mostly(fc.constantFrom(...world.cookies), headerText),
      Origin: mostly(fc.constant(world.origin), fc.oneof(fc.constantFrom("null", "https://evil.test"), headerText)),
      "X-Account-Id": sometimes(fc.oneof(fc.constantFrom(...world.ids), headerText)),
      "Sec-Fetch-Site": rarely(fc.constantFrom("same-origin", "cross-site", "none")),
    })
    .map((headers): Headers => headers);
  const visitor: fc.Arbitrary<Headers> = fc.constantFrom({ Origin: world.origin }, {});
  return fc.oneof(
    { weight: isForPersons ? 1 : 12, arbitrary: key },
    { weight: isForPersons ? 12 : 4, arbitrary: session },
    { weight: 1, arbitrary: fc.tuple(key, session).map(([one, other]): Headers => Object.assign({}, one, other)) },
    { weight: 1, arbitrary: headerText.map((text): Headers => ({ Authorization: text })) },
    { weight: 2, arbitrary: visitor },
  );
}

function headers(
  world: World,
  contentType = "application/json",
  isForPersons = false,
): fc.Arbitrary<Record<string, string>> {
  return fc
    .record({
      credentials: credentials(world, isForPersons),
      "Content-Type": fc.oneof(
        { weight: 12, arbitrary: fc.constant(contentType) },
        { weight: 1, arbitrary: headerText },
      ),
      Accept: rarely(fc.oneof(fc.constantFrom("application/json", "image/png", "text/html", "*/*;q=0"), headerText)),
      "Accept-Language": rarely(headerText),
      "Idempotency-Key": rarely(fc.oneof(fc.constantFrom("same", "other"), headerText)),
      "If-None-Match": rarely(headerText),
      "If-Match": rarely(fc.oneof(fc.constantFrom("*", '"1"', 'W/"1", "2"'), headerText)),
      Referer: rarely(headerText),
      "User-Agent": rarely(headerText),
    })
    .map(({ credentials: given, ...all }) =>
      Object.fromEntries(
        Object.entries({ ...all, ...given }).filter((entry): entry is [string, string] => entry[1] != null),
      ),
    );
}

/** Text that a header can contain. */
const headerText = hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?").slice(0, 4_000));

function bodyOf(document: Document, world: World, schema: Schema): fc.Arbitrary<string | undefined> {
  const right = valueOf(document.components.schemas, world, schema);
  return fc.oneof(
    { weight: 8, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: fc.tuple(right, hostileText, hostileValue, fc.nat()).map(spoil) },
    { weight: 1, arbitrary: hostileBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Makes one field of a valid body wrong, unknown or missing. */
function spoil([value, name, wrong, choice]: [unknown, string, unknown, number]): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(wrong);
  const names = Object.keys(value);
  const chosen = names[choice % Math.max(names.length, 1)];
  const kind = choice % 7;
  if (chosen === undefined || kind === 0) return JSON.stringify({ ...value, [name]: wrong });
  const { [chosen]: _, ...others } = value as Record<string, unknown>;
  return JSON.stringify(kind === 1 ? others : { ...others, [chosen]: wrong });
}

function mostly<T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Percent-encodes the text; invalid Unicode becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** As JSON for a message, with the beginnings of long texts. */
export function shorten(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? part.slice(0, 500) : part), 1);
}
