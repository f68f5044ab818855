import { beforeAll, expect, test } from "vitest";
import { writeBackup } from "../../../scripts/backup.ts";
import { checkBackup } from "../../../scripts/backup/file.ts";
import type { Installation } from "../../../scripts/backup/installation.ts";
import { reconcileDirectory } from "../../../scripts/backup/reconcile-directory.ts";
import { restoreBackup } from "../../../scripts/backup/restore-backup.ts";
import { RECONCILED_ROWS } from "../../../scripts/limits.ts";
import { readSchema } from "../../../scripts/migrations.ts";
import { copyAccount } from "../../../src/database/account-copies.ts";
import { databaseOf } from "../../../src/database/databases.ts";
import { RESERVATION_MS } from "../../../src/directory/limits.ts";
import { reserveKeys } from "../../../src/directory/reserve.ts";
import { insertAccount } from "../../support/accounts.ts";
import { ACCOUNT, installationWith, makeFile, newDatabase, newFile, rowsOf } from "./support.ts";

const SCHEMA = readSchema();
const NOW = Date.UTC(2026, 10, 25);
const everything = { withClicks: true };
const databases = async (): Promise<[D1Database, D1Database, D1Database]> => [
  await newDatabase(SCHEMA),
  await newDatabase(SCHEMA),
  await newDatabase(SCHEMA),
];

let source: [D1Database, D1Database, D1Database];
let seq = 0;

/** The accounts 1 to 5: the first three are dealt to the databases, and the others have moved from database 0 and 1 to 2. */
beforeAll(async () => {
  source = await databases();
  await source[0].batch([
    source[0].prepare("INSERT INTO account_ranges VALUES (1, 0, 3)"),
    source[0].prepare("INSERT INTO moved_accounts VALUES (4, 2), (5, 2)"),
  ]);
  for (let id = 1; id <= 5; id++) await insertAccount(source[0], id);
  await copyAccount(source[0], source[1], 2);
  await copyAccount(source[0], source[2], 3);
  // What the former database of a moved account still has.
  await insertAccount(source[1], 5);
  for (const id of [4, 5]) await insertAccount(source[2], id);
});

interface LinkFields {
  entry?: boolean;
  aliases?: string | null;
  accountId?: number;
}

/** Stores a link in the database, with its entry unless it is said otherwise. */
async function addLink(number: 0 | 1 | 2, slug: string, { entry = true, aliases = null, accountId }: LinkFields = {}) {
  if (entry) await reserveKeys({ shards: source, directories: 1 }, number, [slug], NOW);
  await source[number]
    .prepare(
      `INSERT INTO links (seq, id, account_id, domain, slug, url, aliases, status, redirect_status, created_at, updated_at)
       VALUES (?1, 'link' || ?1, ?2, '', ?3, 'https://example.com/', ?4, 'active', 302, ?5, ?5)`,
    )
    .bind(++seq, accountId ?? number + 1, slug, aliases, NOW)
    .run();
}

const entriesOf = (core: D1Database) => rowsOf(core, "directory", ["key", "shard"]);
const installation = ([db, ...further]: [D1Database, ...D1Database[]], between?: () => Promise<void>) =>
  installationWith(db, { further, now: () => NOW, ...(between && { between }) });

/** Runs `change` before the first page of the database is read. Two calls before ask for the version of its schema. */
function withChange(to: Installation, number: number, change: () => Promise<void>): Installation {
  let calls = 0;
  return {
    ...to,
    async database(statements, database = 0) {
      if (database === number && ++calls === 3) await change();
      return to.database(statements, database);
    },
  };
}

test("a backup has each account in its database, and a restore fills the directory anew", async () => {
  await addLink(0, "core");
  await addLink(1, "second", { aliases: '["former"]' });
  await addLink(1, "gone", { entry: false, accountId: 5 });
  await addLink(2, "third", { entry: false });
  await addLink(2, "moved", { accountId: 5 });
  await source[2]
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
       VALUES ('d', 3, 'go.acme.com', 't', 'verified', 0, 0), ('p', 3, 'pending.acme.com', 't', 'pending', 0, 0)`,
    )
    .run();
  await reserveKeys({ shards: source, directories: 1 }, 1, ["abandoned"], NOW);
  const file = newFile();
  // An account that is created after the first database was read is left out with its links.
  const late = async () => {
    await insertAccount(source[0], 8);
    await copyAccount(source[0], source[1], 8);
    await addLink(1, "late", { accountId: 8 });
  };
  const header = await writeBackup(withChange(installation(source), 1, late), file);
  expect(await rowsOf(source[1], "links", ["slug"])).toContain('["late"]');
  expect(header.databases).toBe(3);

  const target = await databases();
  const checked = await checkBackup(file);
  const fewer = restoreBackup(installation([target[0], target[1]]), file, checked, everything);
  await expect(fewer).rejects.toThrow(/has 3 databases, and the installation 2\.[^]*--databases 3/);
  await target[2].prepare("INSERT INTO removed_hostnames VALUES ('a.example', 0)").run();
  await expect(restoreBackup(installation(target), file, checked, everything)).rejects.toThrow(
    "rows in removed_hostnames",
  );
  await target[2].prepare("DELETE FROM removed_hostnames").run();

  // As a deployment of three databases leaves it.
  await target[0].prepare("INSERT INTO account_ranges VALUES (1, 1, 2)").run();
  let interruptions = 0;
  for (let allowed = 12; ; allowed += 7) {
    let calls = 0;
    const between = async () => {
      if (++calls > allowed) throw new Error("interrupted");
    };
    const outcome = await restoreBackup(installation(target, between), file, checked, everything).catch(String);
    if (typeof outcome !== "string") break;
    expect(outcome).toBe("Error: interrupted");
    interruptions++;
  }
  expect(interruptions).toBeGreaterThan(2);
  expect(await entriesOf(target[0])).toEqual([
    '["former",1]',
    '["go.acme.com",2]',
    '["moved",2]',
    '["second",1]',
    '["third",2]',
  ]);
  expect(await Promise.all(target.map((db) => rowsOf(db, "links", ["account_id", "slug"])))).toEqual([
    ['[1,"core"]'],
    ['[2,"second"]'],
    ['[3,"third"]', '[5,"moved"]'],
  ]);
  expect(await Promise.all(target.map((db) => rowsOf(db, "accounts", ["id"])))).toEqual([
    ["[1]", "[2]", "[3]", "[4]", "[5]"],
    ["[2]"],
    ["[3]", "[4]", "[5]"],
  ]);
  expect(await rowsOf(target[2], "domains", ["id", "status"])).toEqual(['["d","verified"]', '["p","pending"]']);
  expect(await rowsOf(target[2], "account_usage", ["account_id", "links"])).toEqual(["[3,1]", "[4,0]", "[5,1]"]);
  expect(await rowsOf(target[0], "account_ranges", ["first_account_id", "database", "spread"])).toEqual(["[1,0,3]"]);

  // The next look-up of an account copies it, whatever version the former copy had.
  await target[0].prepare("UPDATE accounts SET name = 'Renamed'").run();
  const env = { DB: target[0], DB_2: target[1], DB_3: target[2] } as unknown as Env;
  expect(await databaseOf(env, 2)).toBe(target[1]);
  expect(await databaseOf(env, 5)).toBe(target[2]);
  expect(await rowsOf(target[1], "accounts", ["name"])).toEqual(['["Renamed"]']);
  expect((await rowsOf(target[2], "accounts", ["id", "name"])).at(-1)).toBe('[5,"Renamed"]');
});

test("a backup is refused while an account is being moved or waits for it, and fails if that begins meanwhile", async () => {
  const ask = async () => {
    await source[0].exec(
      "INSERT INTO account_moves (account_id, target, state, changed_at) VALUES (1, 1, 'copying', 0)",
    );
  };
  const file = newFile();
  await expect(writeBackup(withChange(installation(source), 1, ask), file)).rejects.toThrow("are being moved");
  await expect(writeBackup(installation(source), file)).rejects.toThrow("1 of the accounts are being moved");
  await source[0].exec("DELETE FROM account_moves");
});

test("a backup fails while an account is moved, and with fewer databases than there are accounts in", async () => {
  await expect(writeBackup(installationWith(source[0]), newFile())).rejects.toThrow("databases = 3");
  const move = () => source[0].prepare("INSERT INTO moved_accounts VALUES (3, 1)").run();
  let calls = 0;
  const between = async () => {
    if (++calls === 20) await move();
  };
  await expect(writeBackup(installation(source, between), newFile())).rejects.toThrow(
    "Accounts got another database during the backup",
  );
  await source[0].prepare("DELETE FROM moved_accounts WHERE account_id = 3").run();
});

test("the backup of one database fills the first of several, whose new accounts go there", async () => {
  const file = await makeFile([ACCOUNT]);
  const target: [D1Database, D1Database] = [await newDatabase(SCHEMA), await newDatabase(SCHEMA)];
  await target[0].prepare("INSERT INTO account_ranges VALUES (1, 1, 1)").run();
  await restoreBackup(installation(target), file, await checkBackup(file), everything);
  expect(await rowsOf(target[0], "accounts", ["id"])).toEqual(["[1]"]);
  expect(await rowsOf(target[0], "account_ranges", ["database"])).toEqual([]);
});

test("a directory is reconciled with its databases in both directions, and what two databases have is reported", async () => {
  const later = installationWith(source[0], { further: source.slice(1), now: () => NOW + RESERVATION_MS });
  await source[0].prepare("DELETE FROM directory").run();
  for (const db of source)
    await db.batch(["links", "aliases", "domains"].map((table) => db.prepare(`DELETE FROM ${table}`)));
  await addLink(0, "both");
  await addLink(1, "both", { entry: false });
  await addLink(1, "held");
  await addLink(2, "held", { entry: false });
  await addLink(2, "lost", { entry: false });
  const reserve = (key: string, now: number) => reserveKeys({ shards: source, directories: 1 }, 1, [key], now);
  await reserve("dead", NOW);
  await reserve("under-way", NOW + 1);
  // More than a page.
  await source[0]
    .prepare(
      `INSERT INTO directory (key, shard, token, reserved_at) SELECT 'many' || value, 1, 'token' || value, 0
       FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value <= ?1) SELECT value FROM n)`,
    )
    .bind(RECONCILED_ROWS)
    .run();
  const conflicts = [
    { key: "both", database: 1, holder: 0 },
    { key: "held", database: 2, holder: 1 },
  ];
  expect(await reconcileDirectory(later)).toEqual({ added: 1, dropped: RECONCILED_ROWS + 2, conflicts });
  expect(await entriesOf(source[0])).toEqual(['["held",1]', '["lost",2]', '["under-way",1]']);
  expect(await reconcileDirectory(later)).toEqual({ added: 0, dropped: 0, conflicts });
  expect(await reconcileDirectory(installationWith(source[0]))).toEqual({ added: 0, dropped: 0, conflicts: [] });
});
