import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { parseArgs } from "node:util";
import { FORMER_ROWS_KEPT_MS } from "../../src/account-move/limits.ts";
import { moveNextAccount } from "../../src/account-move/move.ts";
import type { ServiceContext } from "../../src/context.ts";
import { applySchema } from "../runtime.ts";
import { insertLinksOf, insertOthers } from "./fill.ts";

/**
 * Moves an account between two of three databases, at several sizes, and counts the rows that this reads and writes. Beside the account,
 * both databases have as many links of others. Afterwards the links must be those of before, and nothing may be left.
 */

const { values: options } = parseArgs({ options: { sizes: { type: "string", default: "1000,10000,100000" } } });

interface Counts {
  rowsRead: number;
  rowsWritten: number;
  roundTrips: number;
}

/** The database, which counts what its statements read and write. */
function counted(db: D1Database, counts: Counts): D1Database {
  const raw = new WeakMap<object, D1PreparedStatement>();
  const add = <T extends D1Result>(results: T[]): T[] => {
    counts.roundTrips++;
    for (const { meta } of results) {
      counts.rowsRead += meta.rows_read;
      counts.rowsWritten += meta.rows_written;
    }
    return results;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => add([await statement.all()])[0];
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all())?.results[0] as Record<string, unknown> | undefined;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    } as unknown as D1PreparedStatement;
    raw.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (sql: string) => wrap(db.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) =>
      add(await db.batch(statements.map((statement) => raw.get(statement) as D1PreparedStatement))),
  } as D1Database;
}

const ACCOUNT = 2;
const SUMS = `SELECT count(*) AS links, sum(seq % 1000003) AS seqs, sum(url_hash) AS urls, sum(clicks) AS clicks, sum(updated_at % 1000003) AS times,
  (SELECT count(*) FROM aliases WHERE account_id = ?1) AS aliases, (SELECT sum(links) FROM tags WHERE account_id = ?1) AS tags,
  (SELECT links FROM account_usage WHERE account_id = ?1) AS used FROM links WHERE account_id = ?1`;
const FOUND = `SELECT count(*) AS found FROM links_fts WHERE links_fts MATCH 'title: cat' AND account_id = ?1`;

async function measure(links: number): Promise<string> {
  const names = ["DB", "DB_2", "DB_3"];
  const runtime = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "", cf: false, d1Databases: names }),
  );
  const plain = await Promise.all(names.map((name) => runtime.getD1Database(name)));
  const [core, source, target] = plain as [D1Database, D1Database, D1Database];
  for (const db of plain) await applySchema(db);
  const insert = "INSERT INTO accounts (id, uuid, name, created_at) VALUES (?1, 'measured', 'measured', 0)";
  await core.prepare("INSERT INTO account_ranges (first_account_id, database, spread) VALUES (1, 0, 3)").run();
  for (const db of [core, source]) await db.prepare(insert).bind(ACCOUNT).run();
  await insertLinksOf(source, ACCOUNT, 1, links);
  await source.prepare("UPDATE account_usage SET links = ?2 WHERE account_id = ?1").bind(ACCOUNT, links).run();
  for (const db of [source, target]) await insertOthers([db], 1, links);
  const stateOf = async (db: D1Database) =>
    JSON.stringify(await Promise.all([SUMS, FOUND].map((sql) => db.prepare(sql).bind(ACCOUNT).first())));
  const before = await stateOf(source);
  await core
    .prepare("INSERT INTO account_moves (account_id, target, state, changed_at) VALUES (?1, 2, 'copying', 0)")
    .bind(ACCOUNT)
    .run();
  const steps: string[] = [];
  let now = Date.now();
  const start = performance.now();
  for (let run = 0; ; run++) {
    const move = await core.prepare("SELECT state FROM account_moves").first<{ state: string }>();
    if (move === null) break;
    if (run === 200) throw new Error(`the account is still ${move.state}`);
    const counts: Counts = { rowsRead: 0, rowsWritten: 0, roundTrips: 0 };
    const [DB, DB_2, DB_3] = plain.map((db: D1Database) => counted(db, counts));
    // Statements are sent to the database of the context too, which is not used here.
    await moveNextAccount({ env: { DB, DB_2, DB_3 } as unknown as Env, db: DB, now } as ServiceContext);
    now += FORMER_ROWS_KEPT_MS;
    steps.push(
      `${move.state}: ${counts.rowsRead} read, ${counts.rowsWritten} written, ${counts.roundTrips} round trips`,
    );
  }
  const seconds = (performance.now() - start) / 1_000;
  if ((await stateOf(target)) !== before) throw new Error(`${before} became ${await stateOf(target)}`);
  const left = await source.prepare("SELECT count(*) AS n FROM links WHERE account_id = ?1").bind(ACCOUNT).first("n");
  const triggers = "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'departing%'";
  if (left !== 0 || (await source.prepare(triggers).first("n")) !== 0) throw new Error("something is left");
  await runtime.dispose();
  return [`${links} links in ${seconds.toFixed(0)} s, all as before: ${before}`, ...steps].join("\n  ");
}

for (const size of options.sizes.split(",").map(Number)) console.log(await measure(size));
