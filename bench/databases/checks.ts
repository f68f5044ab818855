import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse";
import type { Link } from "../../src/links/contract.ts";
import { COMMON_TAG, externalIdOf, MARKED_TAG, tagOf, wordOf, type ExpectedLink, type Model } from "./model.ts";
import { callFor, follow, inParallel, type Differences, type Setting } from "./setting.ts";

/** Comparisons of the service with the model. Each adds what differs to the differences. */

const CONCURRENT_VISITS = 4;
const MAX_EXACT_COUNT = 1_000;
const DIRECTORY_PAGE = 5_000;
const EXPORT_POLL_MS = 50;

type Listed = Omit<ExpectedLink, "externalId"> & { externalId: string | null };

/** Compares links with the model, and that each comes once. */
class Comparison {
  readonly #seen: Uint8Array;
  readonly #model: Model;
  readonly #differences: Differences;
  readonly #what: string;
  #count = 0;

  constructor(what: string, model: Model, differences: Differences) {
    this.#what = what;
    this.#seen = new Uint8Array(model.next);
    this.#model = model;
    this.#differences = differences;
  }

  add({ id, slug, url, title, tags, externalId, archived, aliases }: Listed): void {
    const n = Number(externalId?.slice("item-".length));
    if (!this.#model.is(n, "live")) return this.#differences.add(`${this.#what}: ${externalId} is not to be there`);
    if (this.#seen[n] === 1) return this.#differences.add(`${this.#what}: ${externalId} came twice`);
    this.#seen[n] = 1;
    this.#count++;
    const got = { id, slug, url, title, tags: tags.toSorted(), externalId, archived, aliases };
    const expected = this.#model.expected(n);
    this.#differences.compare(this.#what, got, { ...expected, tags: expected.tags.toSorted() });
  }

  /** Compares the number of links with that of the account's links that match. */
  end(account: number, matches?: (n: number) => boolean): void {
    const expected = this.#model.count(account, matches);
    this.#differences.compare(`${this.#what}: links`, this.#count, expected);
  }
}

/** Walks all pages of a list. */
async function walk(
  setting: Setting,
  account: number,
  query: string,
  matches: (n: number) => boolean,
): Promise<number> {
  const { model, differences } = setting;
  const comparison = new Comparison(`account ${account}, ${query}`, model, differences);
  let cursor: string | null = null;
  let links = 0;
  do {
    const path = `/api/links?limit=100&${query}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await callFor(setting, account, "GET", path);
    if (answer.status !== 200) {
      differences.add(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
      break;
    }
    const page = answer.json() as { links: Link[]; nextCursor: string | null };
    for (const link of page.links) comparison.add(link);
    links += page.links.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  comparison.end(account, matches);
  return links;
}

/** All links of each account. Returns their number. */
export async function checkLists(setting: Setting): Promise<number> {
  let links = 0;
  for (const account of living(setting)) links += await walk(setting, account, "archived=include", () => true);
  return links;
}

/** The accounts that are not deleted. */
const living = ({ accounts, model }: Setting) => [...accounts.keys()].filter((account) => model.count(account) > 0);

/** By words, by one link's text, by tags and by state, in each account. Returns the number of links found. */
export async function checkSearches(setting: Setting): Promise<number> {
  const { model, differences } = setting;
  let links = 0;
  for (const account of living(setting)) {
    const one = model.numbers(account).find((n) => model.is(n, "live")) ?? 0;
    const word = wordOf(one + account * 7);
    const tag = tagOf(one + 4 * account + 1);
    const hasTag = (name: string) => (n: number) => model.tagsOf(n).includes(name);
    const both = (n: number) => hasTag(tag)(n) && hasTag(MARKED_TAG)(n);
    const hasWord = (n: number) => model.hasWord(n, word);
    links += await walk(setting, account, `archived=include&search=${word}%20walnut`, hasWord);
    links += await walk(setting, account, `archived=include&search=${externalIdOf(one)}`, (n) => n === one);
    links += await walk(setting, account, `archived=include&externalId=${externalIdOf(one)}`, (n) => n === one);
    links += await walk(setting, account, `archived=include&tag=${tag}`, hasTag(tag));
    links += await walk(setting, account, `archived=include&tag=${tag}&tag=${MARKED_TAG}&tagMode=all`, both);
    links += await walk(setting, account, "archived=only", (n) => model.is(n, "archived"));
    const path = `/api/links?archived=include&tag=${COMMON_TAG}&limit=1&count=true`;
    const { count } = (await callFor(setting, account, "GET", path)).json() as { count: unknown };
    const expected = model.count(account, hasTag(COMMON_TAG));
    const isExact = expected <= MAX_EXACT_COUNT;
    differences.compare(`account ${account}: count of a tag`, count, {
      value: Math.min(expected, MAX_EXACT_COUNT),
      isExact,
    });
  }
  return links;
}

/** Redirects of random links, also by their aliases, and of slugs that nobody has. */
export async function checkRedirects(setting: Setting, visits: number): Promise<number> {
  const { model, differences } = setting;
  const each = Array.from({ length: visits }, (_, visit) => visit);
  await inParallel(each, CONCURRENT_VISITS, async (visit) => {
    const n = Math.floor(Math.random() * model.next);
    const isUnknown = visit % 50 === 0;
    const slugs = isUnknown ? [`nobody-${n}`] : model.slugsOf(n);
    for (const slug of slugs) {
      const path = visit % 3 === 0 ? slug : slug.toUpperCase();
      const got = await follow(setting, path, true).catch((error: unknown) => String(error));
      differences.compare(`/${path}`, got, isUnknown ? null : model.targetOf(n));
    }
  });
  return visits;
}

const COUNTS = {
  links: "SELECT account_id AS account, count(*) AS n FROM links GROUP BY 1",
  deleted: "SELECT account_id AS account, count(*) AS n FROM deleted_links GROUP BY 1",
  aliases: "SELECT account_id AS account, count(*) AS n FROM aliases GROUP BY 1",
  tags: "SELECT account_id AS account, sum(links) AS n FROM tags GROUP BY 1",
  used: "SELECT account_id AS account, links AS n FROM account_usage",
} as const;

/** The rows of each account in each database, and the directory. Returns the number of links in the tables. */
export async function checkRows(setting: Setting): Promise<number> {
  const { server, model, accounts, places, differences } = setting;
  const stored = new Map<string, number>();
  for (const [number, db] of server.databases.entries()) {
    for (const [what, sql] of Object.entries(COUNTS)) {
      const { results } = await db.prepare(sql).all<{ account: number; n: number }>();
      for (const { account, n } of results) if (n > 0) stored.set(`${what} of ${account} in ${number}`, n);
    }
  }
  const expected = new Map<string, number>();
  const count = (key: string, n = 1) => n > 0 && expected.set(key, (expected.get(key) ?? 0) + n);
  let links = 0;
  for (const n of model.numbers()) {
    const account = model.accountOf(n);
    const where = `of ${accounts[account]?.accountId} in ${places[account]}`;
    if (model.is(n, "kept")) {
      count(`deleted ${where}`);
      // They keep the slugs for the link.
      count(`aliases ${where}`, model.slugsOf(n).length);
    }
    if (!model.is(n, "live") && !model.is(n, "suspended")) continue;
    links++;
    for (const what of ["links", "used"]) count(`${what} ${where}`);
    if (model.is(n, "renamed")) count(`aliases ${where}`);
    count(`tags ${where}`, model.tagsOf(n).length);
  }
  for (const key of new Set([...stored.keys(), ...expected.keys()]))
    differences.compare(`rows: ${key}`, stored.get(key), expected.get(key));
  await checkDirectory(setting);
  return links;
}

/** The directory is in the first database. It has exactly the keys of the links of the others, those of deleted ones included. */
async function checkDirectory({ server, model, places, differences }: Setting): Promise<void> {
  const page = server.db.prepare("SELECT key, shard FROM directory WHERE key > ?1 ORDER BY key LIMIT ?2");
  let entries = 0;
  for (let after = ""; ;) {
    const { results } = await page.bind(after, DIRECTORY_PAGE).all<{ key: string; shard: number }>();
    for (const { key, shard } of results) {
      const n = model.numberOf(key);
      const isThere = n !== undefined && hasKeys(model, n);
      if (!isThere || places[model.accountOf(n)] !== shard) differences.add(`the directory has ${key} in ${shard}`);
    }
    entries += results.length;
    const last = results.at(-1);
    if (last === undefined) break;
    after = last.key;
  }
  let expected = 0;
  for (const n of model.numbers())
    if (hasKeys(model, n) && places[model.accountOf(n)] !== 0) expected += model.slugsOf(n).length;
  differences.compare("entries of the directory", entries, expected);
}

const hasKeys = (model: Model, n: number) => model.is(n, "live") || model.is(n, "kept") || model.is(n, "suspended");

/** The CSV export of all links of each account, line by line. Returns the number of lines. */
export async function checkExports(setting: Setting): Promise<number> {
  let lines = 0;
  for (const account of living(setting)) lines += await checkExport(setting, account);
  return lines;
}

async function checkExport(setting: Setting, account: number): Promise<number> {
  const { model, differences } = setting;
  const what = `account ${account}, export`;
  const body = { kind: "links", format: "csv", archived: "include" };
  const started = await callFor(setting, account, "POST", "/api/exports", body);
  type One = { export: { id: string; status: string; error: string | null } };
  let { export: one } = started.json() as One;
  while (one.status === "pending" || one.status === "running") {
    await sleep(EXPORT_POLL_MS);
    const answer = await callFor(setting, account, "GET", `/api/exports/${one.id}`);
    if (answer.status === 200) one = (answer.json() as One).export;
  }
  if (one.status !== "done") {
    differences.add(`${what}: ${one.status} ${one.error}`);
    return 0;
  }
  const file = await callFor(setting, account, "GET", `/api/exports/${one.id}/file`);
  const comparison = new Comparison(what, model, differences);
  const rows = Readable.from([file.text]).pipe(parse({ bom: true, columns: true }));
  let lines = 0;
  for await (const row of rows as AsyncIterable<Record<string, string>>) {
    const { id = "", slug = "", url = "", title = "", externalId = "" } = row;
    const list = (text = "[]") => JSON.parse(text) as string[];
    const { tags, aliases, archived } = row;
    const read = {
      tags: list(tags),
      aliases: list(aliases),
      archived: archived === "true",
      title: title === "" ? null : title,
    };
    comparison.add({ id, slug, url, externalId, ...read });
    lines++;
  }
  comparison.end(account);
  return lines;
}
