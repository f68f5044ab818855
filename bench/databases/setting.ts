import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../src/duration.ts";
import { createAccount } from "../../test/e2e/support/accounts.ts";
import type { Answer } from "../../test/e2e/support/http.ts";
import type { Account } from "../account.ts";
import { startInstrumented, type InstrumentedServer } from "../instrumented/server.ts";
import { Model } from "./model.ts";

export const DATABASES = 3;
/** Differences that are told; the others are counted. */
const TOLD_DIFFERENCES = 20;
/** The most that an operator can set: it is still far less than the calls of this script would need without a clock. */
const RATE_LIMIT_FACTOR = 100;
const MAX_ATTEMPTS = 100;
/** Such a redirect is no click. */
const PREFETCH = { "Sec-Purpose": "prefetch" };

/** A service with three databases, its accounts, and the model of what it must have. */
export interface Setting {
  server: InstrumentedServer;
  model: Model;
  accounts: Account[];
  /** The number of the database of each account. */
  places: number[];
  differences: Differences;
  /** Writes that were refused while an account moved, and repeated. */
  refused: { writes: number };
  /** How far the clock of the service was put forward, ms. */
  clock: { ahead: number };
}

export class Differences {
  count = 0;
  readonly first: string[] = [];
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  add(text: string): void {
    this.count++;
    if (this.first.length >= TOLD_DIFFERENCES) return;
    this.first.push(text);
    this.#tell(text);
  }

  /** Compares the JSON of both. */
  compare(what: string, got: unknown, expected: unknown): void {
    const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
    if (left !== right) this.add(`${what}: ${left}, expected ${right}`);
  }
}

export async function prepare(links: number, accounts: number, tell: (line: string) => void): Promise<Setting> {
  const bindings = { DESTINATION_WATCH: "off", ACCOUNT_LINKS_PER_MINUTE: "100000" };
  const server = await startInstrumented(undefined, { databases: DATABASES, bindings });
  const { db } = server;
  await db
    .prepare("INSERT INTO account_ranges (first_account_id, database, spread) VALUES (1, 0, ?1)")
    .bind(DATABASES)
    .run();
  const created: Account[] = [];
  for (let n = 0; n < accounts; n++) created.push(await createAccount(db));
  await db.prepare("UPDATE accounts SET rate_limit_factor = ?1").bind(RATE_LIMIT_FACTOR).run();
  // Copies the accounts into their databases.
  await server.control({ cron: true });
  return {
    server,
    // Room for the links that are created during the moves.
    model: new Model(Math.ceil(links * 1.5) + 10_000),
    accounts: created,
    places: created.map(({ accountId }) => (accountId - 1) % DATABASES),
    differences: new Differences(tell),
    refused: { writes: 0 },
    clock: { ahead: 0 },
  };
}

export async function advance({ server, clock }: Setting, ms: number): Promise<void> {
  clock.ahead += ms;
  await server.control({ advance: ms });
}

/**
 * Calls the API for an account, by its index. A call that is refused because the account is being moved is repeated as documented:
 * after a second, with the same idempotency key. If the rate limit refuses it, a minute passes, or is waited for if `waits`.
 */
export async function callFor(
  setting: Setting,
  account: number,
  method: string,
  path: string,
  body?: object,
  { waits = false, idempotencyKey }: { waits?: boolean; idempotencyKey?: string } = {},
): Promise<Answer> {
  const { server, accounts, refused } = setting;
  const headers = {
    Authorization: `Bearer ${accounts[account]?.key}`,
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
  };
  for (let attempt = 1; ; attempt++) {
    const answer = await server.request(method, path, headers, body);
    if (attempt === MAX_ATTEMPTS) return answer;
    const isRefused = answer.status === 503 && answer.headers["retry-after"] === "1" && method !== "GET";
    if (isRefused) {
      refused.writes++;
      await sleep(1_000);
    } else if (answer.status === 429) {
      if (waits) await sleep(1_000);
      else await advance(setting, MINUTE_MS);
    } else return answer;
  }
}

/**
 * Where a visitor of the path is led; null: 404. Any other answer is an error. Cold links are refused beside many look-ups of unknown
 * slugs (ADR 0036): with `again`, a second passes then.
 */
export async function follow(setting: Setting, path: string, again: boolean): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await setting.server.request("GET", `/${path}`, PREFETCH);
    if (answer.status === 302) return answer.headers["location"] ?? "";
    if (answer.status === 404) return null;
    if (answer.status !== 503 || !again || attempt === MAX_ATTEMPTS)
      throw new Error(`/${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    await advance(setting, SECOND_MS);
  }
}

/** Runs `work` for all items, at most `limit` at the same time. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Iterator.from(items);
  const worker = async () => {
    for (let item = iterator.next(); !item.done; item = iterator.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
