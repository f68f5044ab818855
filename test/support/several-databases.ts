import { env } from "cloudflare:workers";
import { onTestFinished } from "vitest";
import { createAccount, jsonOf, buildRequest, runCron, send, type CallOptions } from "./api.ts";

const further = env as unknown as { SECOND_DB: D1Database; THIRD_DB: D1Database };

/** The bindings of a Worker with three databases. */
const bindings = { DB_2: further.SECOND_DB, DB_3: further.THIRD_DB } as unknown as Partial<Env>;

/** Gives all calls of the test three databases, also those of helpers that know of one. */
export function useDatabases(): void {
  Object.assign(env, bindings);
  onTestFinished(() => {
    for (const name of Object.keys(bindings)) Reflect.deleteProperty(env, name);
  });
}

/** The environment of that Worker, for tests that call its functions. */
export function placedEnv(): Env {
  return { ...env, ...bindings };
}

/** The databases by their numbers. The core is read when it is used, because that empties it before the next test. */
export function databases(): [D1Database, D1Database, D1Database] {
  return [env.DB, further.SECOND_DB, further.THIRD_DB];
}

export interface PlacedAccount {
  accountId: number;
  key: string;
}

/** Makes three databases, and an account in each. */
export async function createPlacedAccounts(): Promise<[PlacedAccount, PlacedAccount, PlacedAccount]> {
  await Promise.all([further.SECOND_DB, further.THIRD_DB].map((db) => db.prepare(env.SCHEMA).run()));
  await env.DB.prepare("INSERT INTO account_ranges (first_account_id, database, spread) VALUES (1, 0, 3)").run();
  return [await createAccount(), await createAccount(), await createAccount()];
}

/** Calls the Worker with three databases. `replaced` are bindings of this call only. */
export function callPlaced(
  method: string,
  path: string,
  options: CallOptions = {},
  replaced: Partial<Env> = {},
): Promise<Response> {
  return send(buildRequest(method, path, options), { ...bindings, ...replaced });
}

export interface Answer<T> {
  status: number;
  json: T;
}

/** As {@link callPlaced}. Returns the status and the JSON of the response. */
export async function callForJson<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const response = await callPlaced(method, path, options);
  return { status: response.status, json: response.status === 204 ? ({} as T) : await jsonOf<T>(response) };
}

export function runPlacedCron(now: number): Promise<void> {
  return runCron(now, bindings);
}

/** The numbers of the databases that have a link with the slug at the service domain. */
export async function holdersOf(slug: string): Promise<number[]> {
  const found = await Promise.all(
    databases().map((db) => db.prepare("SELECT 1 FROM links WHERE domain = '' AND slug_key = ?1").bind(slug).first()),
  );
  return found.flatMap((row, number) => (row === null ? [] : [number]));
}

/** The keys that the directory has entries of. */
export async function entriesOf(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT key FROM directory ORDER BY key").all<{ key: string }>();
  return results.map(({ key }) => key);
}
