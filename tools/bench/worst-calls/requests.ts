import { app, RATE_LIMITS } from "../../../src/app.ts";
import { MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES, MAX_BODY_VALUES } from "../../../src/platform/http/limits.ts";
import { MAX_BODY_BYTES } from "../../../src/limits.ts";
import { resolveShared, type Operation as Contract } from "../../../test/e2e/support/openapi.ts";
import type { Account } from "./account.ts";
import type { Hint } from "./hints.ts";
import { largestOf, LEFT_OUT, type Refused } from "./largest.ts";
import { namesOf } from "./names.ts";

// The largest request of each operation, made from the limits of its contract.

/** They exist on localhost only, or only where no mail can be sent. */
export const UNMEASURED_OPERATIONS = [
  "GET /api/auth/outbox",
  "POST /api/teams/:id/members/:userId/password-reset",
] as const;

/** The operations of an API key, of a session or of everybody. */
export type Operation = Exclude<keyof typeof RATE_LIMITS, (typeof UNMEASURED_OPERATIONS)[number]>;

/** A call of an operation, made anew each time that it is sent. */
export interface Call {
  operation: Operation;
  /** The parameters of the query: all of them, or only those of the page, so that most is found. */
  query: "all" | "page";
  /** What the service refused of the largest request, so that it is not sent again. */
  refused: Refused;
}

const { paths, components } = resolveShared(
  app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } }),
);

const PAGE = new Set(["limit", "cursor", "page"]);
const QUERY_BOUNDS = { maxBytes: 6_000, maxValues: Infinity };
const BODY_BOUNDS = { maxBytes: MAX_BODY_BYTES, maxValues: MAX_BODY_VALUES };
const BULK_BOUNDS = { maxBytes: MAX_BULK_BODY_BYTES, maxValues: MAX_BULK_BODY_VALUES };
/** Operations with larger bodies, as their rows in `ROUTES` say. */
const BULK_BODIES = new Set(["POST /api/links/bulk", "POST /api/bulk"]);

export const partsOf = (operation: string): [method: string, path: string] => {
  const [method = "", path = ""] = operation.split(" ");
  return [method, path.replace(/:(\w+)/g, "{$1}")];
};

export function contractOf(operation: string): Contract {
  const [method, path] = partsOf(operation);
  return paths[path]?.[method.toLowerCase()] ?? { responses: {} };
}

const queryOf = ({ parameters = [] }: Contract) => parameters.filter((each) => each.in === "query");

/** A call of each operation; of a list with filters, another one without them. */
export const CALLS: readonly Call[] = (Object.keys(RATE_LIMITS) as (keyof typeof RATE_LIMITS)[])
  .filter((operation): operation is Operation => !UNMEASURED_OPERATIONS.some((local) => local === operation))
  .flatMap((operation) => {
    const isFiltered = queryOf(contractOf(operation)).some(({ name, required }) => !PAGE.has(name) && !required);
    const queries = isFiltered && operation.startsWith("GET") ? (["all", "page"] as const) : (["all"] as const);
    return queries.map((query): Call => ({ operation, query, refused: new Map() }));
  });

export const callOf = (operation: string): Call => {
  const call = CALLS.find((each) => each.operation === operation);
  if (call === undefined) throw new Error(`There is no ${operation} that could create what a call needs.`);
  return call;
};

export function bodyOf(account: Account, call: Call, { fields = {} }: Hint): unknown {
  const schema = contractOf(call.operation).requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return undefined;
  const bounds = BULK_BODIES.has(call.operation) ? BULK_BOUNDS : BODY_BOUNDS;
  // Its fields may be longer than what they take the place of.
  const maxBytes = bounds.maxBytes - Buffer.byteLength(JSON.stringify(fields));
  const refused = new Map([...call.refused, ...Object.keys(fields).map((name): [string, number] => [name, LEFT_OUT])]);
  const recipe = { schemas: components.schemas, named: namesOf(account), refused };
  return { ...(largestOf(schema, recipe, { ...bounds, maxBytes }) as object), ...fields };
}

export function searchOf(account: Account, call: Call, { fields = {} }: Hint): string {
  const contract = contractOf(call.operation);
  const wanted = queryOf(contract).filter(({ name, required }) => call.query === "all" || required || PAGE.has(name));
  const properties = Object.fromEntries(wanted.map(({ name, schema }) => [name, schema]));
  const recipe = { schemas: components.schemas, named: namesOf(account), refused: call.refused };
  const made = {
    ...(largestOf({ type: "object", properties }, recipe, QUERY_BOUNDS) as object),
    ...(contract.requestBody === undefined && fields),
  } as Record<string, string>;
  const pairs = Object.entries(made).flatMap(([name, given]) => [given ?? []].flat().map((each) => [name, each]));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
