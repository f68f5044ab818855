import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/duration.ts";
import { STATE } from "./model.ts";
import { advance, callFor, inParallel, type Setting } from "./setting.ts";

const LINKS_PER_CALL = 100;
const CONCURRENT_CALLS = 4;
const MAX_CRON_RUNS = 20_000;

interface Result {
  link?: { id: string; slug: string };
  success?: true;
  error?: string;
}

/** Creates links of the account by one call. */
export async function createLinks(setting: Setting, account: number, count: number, waits = false): Promise<void> {
  const { model, differences } = setting;
  const numbers = model.begin(account, count);
  const body = { links: numbers.map((n) => model.fieldsOf(n)) };
  const options = { waits, idempotencyKey: `create-${numbers[0]}` };
  const answer = await callFor(setting, account, "POST", "/api/links/bulk", body, options);
  const results = resultsOf(answer);
  for (const [index, n] of numbers.entries()) {
    const result = results?.[index];
    if (result?.link === undefined)
      differences.add(`link ${n} was not created: ${result?.error ?? answer.text.slice(0, 300)}`);
    else model.created(n, result.link);
  }
}

function resultsOf(answer: { status: number; json(): unknown }): Result[] | null {
  return answer.status === 200 ? (answer.json() as { results: Result[] }).results : null;
}

/** Creates links of all accounts in turn. */
export async function createAll(setting: Setting, links: number, tell: (done: number) => void): Promise<void> {
  const calls = Math.ceil(links / LINKS_PER_CALL);
  const each = Array.from({ length: calls }, (_, call) => call);
  let done = 0;
  await inParallel(each, CONCURRENT_CALLS, async (call) => {
    const count = Math.min(LINKS_PER_CALL, links - call * LINKS_PER_CALL);
    await createLinks(setting, call % setting.accounts.length, count);
    done += count;
    tell(done);
  });
}

/** Adds the tag or archives, by one call. */
export async function changeLinks(
  setting: Setting,
  account: number,
  numbers: readonly number[],
  state: "marked" | "archived",
  waits = false,
): Promise<void> {
  const { model, differences } = setting;
  const changes = state === "marked" ? { addTags: ["marked"] } : { archived: true };
  const body = { ids: numbers.map((n) => model.idOf(n)), changes };
  const answer = await callFor(setting, account, "PATCH", "/api/links/bulk", body, { waits });
  const results = resultsOf(answer);
  for (const [index, n] of numbers.entries()) {
    const result = results?.[index];
    if (result?.link === undefined)
      differences.add(`link ${n} was not changed: ${result?.error ?? answer.text.slice(0, 300)}`);
    else model.add(n, STATE[state]);
  }
}

/** Gives the link another destination and another slug, so that the first one becomes an alias. */
export async function renameLink(setting: Setting, n: number, waits = false): Promise<void> {
  const { model, differences } = setting;
  const body = { url: model.urlOf(n, true), slug: model.newSlugOf(n) };
  const path = `/api/links/${model.idOf(n)}`;
  const answer = await callFor(setting, model.accountOf(n), "PATCH", path, body, { waits });
  if (answer.status === 200) model.add(n, STATE.changed | STATE.renamed);
  else differences.add(`link ${n} was not renamed: ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** Deletes links by one call. */
export async function deleteLinks(
  setting: Setting,
  account: number,
  numbers: readonly number[],
  waits = false,
): Promise<void> {
  const { model, differences } = setting;
  const body = { ids: numbers.map((n) => model.idOf(n)) };
  const answer = await callFor(setting, account, "DELETE", "/api/links/bulk", body, { waits });
  const results = resultsOf(answer);
  for (const [index, n] of numbers.entries()) {
    const result = results?.[index];
    if (result?.success !== true)
      differences.add(`link ${n} was not deleted: ${result?.error ?? answer.text.slice(0, 300)}`);
    else model.delete(n);
  }
}

/** Deletes the links that match, of all accounts. */
export async function deleteAll(setting: Setting, matches: (n: number) => boolean): Promise<number> {
  const { model, accounts } = setting;
  let deleted = 0;
  for (const account of accounts.keys()) {
    const numbers = model.numbers(account).filter((n) => model.is(n, "live") && matches(n));
    await inParallel(pieces(numbers, LINKS_PER_CALL), CONCURRENT_CALLS, async (piece) => {
      await deleteLinks(setting, account, piece);
      deleted += piece.length;
    });
  }
  return deleted;
}

function* pieces<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let piece: T[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < size) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** Lets the time pass in which deleted links can be restored, and runs the cron until none is left. Returns their number. */
export async function purgeDeletedLinks(setting: Setting): Promise<number> {
  const { model } = setting;
  await advance(setting, 7 * DAY_MS + HOUR_MS + MINUTE_MS);
  await cronUntil(setting, () => isEmpty(setting, "SELECT 1 FROM deleted_links LIMIT 1"));
  return model.forget("kept");
}

/**
 * Deletes the account as its owner's session does, whose transaction writes this column. The links answer 404 once no cache has a fresh
 * copy, which takes up to 35 seconds. Returns their number.
 */
export async function deleteAccount(setting: Setting, account: number): Promise<number> {
  const { server, accounts, model, differences } = setting;
  const now = Date.now() + setting.clock.ahead;
  const mark = server.db.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1");
  await mark.bind(accounts[account]?.accountId, now).run();
  await server.control({ cron: true });
  const answer = await callFor(setting, account, "GET", "/api/links?limit=1");
  differences.compare("call of the deleted account", answer.status, 403);
  await advance(setting, MINUTE_MS);
  return model.suspend(account);
}

/** Lets the time pass in which the account can be restored, and runs the cron until it is gone. Returns the number of its links. */
export async function purgeAccount(setting: Setting, account: number): Promise<number> {
  const { accounts, model } = setting;
  await advance(setting, 7 * DAY_MS + 3 * HOUR_MS);
  const sql = `SELECT 1 FROM accounts WHERE id = ${accounts[account]?.accountId}`;
  await cronUntil(setting, () => isEmpty(setting, sql));
  return model.forget("suspended");
}

async function isEmpty({ server }: Setting, sql: string): Promise<boolean> {
  const found = await Promise.all(server.databases.map((db) => db.prepare(sql).first()));
  return found.every((row) => row === null);
}

async function cronUntil(setting: Setting, isDone: () => Promise<boolean>): Promise<void> {
  for (let run = 0; run < MAX_CRON_RUNS; run++) {
    await setting.server.control({ cron: true });
    if (await isDone()) return;
    await advance(setting, MINUTE_MS);
  }
  throw new Error(`the cron has not ended after ${MAX_CRON_RUNS} runs`);
}
