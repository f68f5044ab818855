import { beforeAll, afterAll, expect, it } from "vitest";
import { startTypeCheck, type TypeCheck } from "../../e2e/support/openapi-types.ts";
import {
  METHODS,
  optionalQuery,
  ownArguments,
  publicOperations,
  readDocument,
  resultOf,
  successOf,
} from "./support/operations.ts";

const { text, document } = await readDocument();
const operations = publicOperations(document);
let types: TypeCheck;

beforeAll(async () => {
  types = await startTypeCheck(text, { "@tern/sdk": "packages/sdk/dist/index.d.ts" }, { noErrorTruncation: true });
});
afterAll(() => types.stop());

/** Two types are the same if neither has a member, or a value of one, that the other has not. */
const PREAMBLE = `
import type { ErrorBody, LiveSocket, Tern, WebhookEvent } from "@tern/sdk";
import type { components, operations, webhooks } from "./types.ts";

/** A Date is sent as text, and a single tag as a list. */
type Plain<T> = T extends Response ? "response" : T extends Date ? never : T extends readonly (infer Item)[] ? Plain<Item>[] : T extends object ? { [K in keyof T]: Plain<K extends "tags" ? Exclude<T[K], string> : T[K]> } : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : { document: Plain<A>; sdk: Plain<B> };
/** In a query all values are text: the SDK takes the number, the time or the boolean that is written there, and one value in place of several. */
type Wire<Query> = { [K in keyof Query]: WireValue<Query[K]> };
type WireValue<V> = [Exclude<V, undefined>] extends [boolean] ? "flag" : [Exclude<V, undefined>] extends ["true" | "false"] ? "flag" : [Extract<V, readonly unknown[]>] extends [never] ? (string extends V ? string : V) : { several: Element<Exclude<V, undefined>> };
type Element<V> = V extends readonly (infer E)[] ? E : V;
type Query<O extends { parameters: { query?: unknown } }, Without extends string = never> = Wire<Omit<NonNullable<O["parameters"]["query"]>, Without>>;
type ResultOf<M extends (...input: never[]) => unknown> = Awaited<ReturnType<M>>;
type PageOf<M extends (...input: never[]) => { page(): unknown }> = Awaited<ReturnType<ReturnType<M>["page"]>>;
`;

/** Lists that can also be CSV, which `client.fetch()` gets. */
const NO_FORMAT = new Set(["listClicks", "listLinkClicks"]);

/** A program that compiles if the types of the SDK are those of the document. */
function comparison(): string {
  const lines = operations.flatMap((operation) => {
    const { operationId, requestBody } = operation;
    const [namespace, name] = (METHODS[operationId] ?? ".").split(".");
    const method = `Tern["${namespace}"]["${name}"]`;
    const of = `operations["${operationId}"]`;
    const inputs: string[] = ownArguments(operation).map(() => "string");
    const [type] = Object.keys(requestBody?.content ?? {});
    if (type === "application/json" || type === "application/x-www-form-urlencoded")
      inputs.push(`${of}["requestBody"]["content"]["${type}"]`);
    // A file is no JSON.
    else if (type !== undefined) inputs.push("string | Blob");
    const checks = inputs.map((input, n) => [`Same<${input}, Parameters<${method}>[${n}]>`, `${operationId}_${n}`]);
    const at = inputs.length;
    if (optionalQuery(operation).length > 0)
      checks.push([
        `Same<Query<${of}${NO_FORMAT.has(operationId) ? ', "format"' : ""}>, Wire<NonNullable<Parameters<${method}>[${at}]>>>`,
        `${operationId}_query`,
      ]);
    checks.push([`Same<${resultTypeOf(operation, of)}, ${sdkResultOf(operation, method)}>`, `${operationId}_result`]);
    return checks.map(([check, id]) => `export const ${id}: ${check} = true;`);
  });
  const events = Object.keys(document.webhooks).map(
    (event) => `webhooks["${event}"]["post"]["requestBody"]["content"]["application/json"]`,
  );
  return [
    PREAMBLE,
    ...lines,
    `export const events: Same<${events.join(" | ")}, WebhookEvent> = true;`,
    `export const error: Same<components["schemas"]["Error"], ErrorBody> = true;`,
  ].join("\n");
}

function resultTypeOf(operation: (typeof operations)[number], of: string): string {
  if (operation.operationId === "watchClicks") return "LiveSocket";
  const result = resultOf(operation);
  if (result.kind === "response") return "Response";
  if (result.kind === "nothing") return "void";
  const jsonOf = (status: number | string) => `${of}["responses"][${status}]["content"]["application/json"]`;
  if (result.kind !== "member") return jsonOf(successOf(operation).status);
  // An operation may answer with one thing at once, and with another for what takes longer.
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  return successes
    .map(
      ([status, { content }]) => [status, Object.keys(content?.["application/json"]?.schema.properties ?? {})] as const,
    )
    .map(([status, [name]]) => `${jsonOf(status)}["${name}"]`)
    .join(" | ");
}

function sdkResultOf(operation: (typeof operations)[number], method: string): string {
  return resultOf(operation).kind === "list" ? `PageOf<${method}>` : `ResultOf<${method}>`;
}

it("has the types of the document, in both directions", async () => {
  const program = comparison();
  expect(await types.compile(program)).toBe("");
  // Another member, a missing one and another value are found, each by the name of its operation.
  const changes: [id: string, part: string, changed: string][] = [
    [
      "createLink_0",
      `operations["createLink"]["requestBody"]["content"]["application/json"]`,
      "$ & { added?: string }",
    ],
    [
      "listKeys_result",
      `operations["listKeys"]["responses"][200]["content"]["application/json"]`,
      "$ & { added: string }",
    ],
    ["listTags_query", `Query<operations["listTags"]>`, "$ & { added?: string }"],
    [
      "getUsage_result",
      `operations["getUsage"]["responses"][200]["content"]["application/json"]["usage"]`,
      'Omit<$, "links">',
    ],
    ["error", `components["schemas"]["Error"]`, 'Omit<$, "code"> & { code: $["code"] | "added" }'],
  ];
  let changed = program;
  for (const [, part, change] of changes) changed = changed.replace(part, change.replaceAll("$", part));
  const errors = await types.compile(changed);
  const lines = changed.split("\n");
  const found = Array.from(
    errors.matchAll(/program\.ts\((\d+),/g),
    ([, line]) => /const (\w+)/.exec(lines[Number(line) - 1] ?? "")?.[1],
  );
  expect(new Set(found)).toEqual(new Set(changes.map(([id]) => id)));
});
