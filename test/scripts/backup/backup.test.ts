import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { backup, writeBackup } from "../../../scripts/backup.ts";
import { checkBackup, openBackup, readBackup, type Line } from "../../../scripts/backup/file.ts";
import { KeySet } from "../../../scripts/backup/key-set.ts";
import { restoreBackup } from "../../../scripts/backup/restore-backup.ts";
import { emptyTablesOf, tablesOf } from "../../../scripts/backup/tables.ts";
import { devArguments, temporaryConfig, withTemporaryWorker } from "../../../scripts/backup/temporary-worker.ts";
import { RELEASE_WEBHOOKS } from "../../../scripts/backup/write-tables.ts";
import { restore } from "../../../scripts/restore.ts";
import { readSchema } from "../../../scripts/migrations.ts";
import { unstable_readConfig } from "wrangler";
import { makeKeyChecks } from "../../../src/clicks/click-log/backup.ts";
import { generateEncryptionKey } from "../../../src/lib/encryption.ts";
import { BACKUP_PAGE_ROWS } from "../../../src/limits.ts";
import { temporaryFolder } from "../support/command.ts";
import { installationWith, KEYS, newDatabase, rowsOf } from "./support.ts";

const SCHEMA = readSchema();
const newFile = () => join(temporaryFolder(), "backup.gz");
const everything = { withClicks: true };

test("the tables of a backup come from the schema, each after those that it refers to", () => {
  const names = tablesOf(SCHEMA).map(({ name }) => name);
  expect(names).toContain("links");
  expect(names.filter((name) => /fts|schema_migrations|^searchable/.test(name))).toEqual([]);
  for (const { name, references } of tablesOf(SCHEMA))
    for (const { table } of references) expect(names.indexOf(table)).toBeLessThan(names.indexOf(name));
  // A new table is in the backup unless it is named as left out.
  const leftOut = emptyTablesOf(SCHEMA).filter((name) => !names.includes(name));
  expect(leftOut.sort()).toEqual(["click_deliveries", "deliveries", "events", "idempotency_keys", "webhook_slots"]);
});

test("a set of keys has what was added, in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      fc.array(fc.string()),
      (numbers, texts) => {
        const keys = [...numbers.map((number) => `[${number}]`), ...texts.map((text) => JSON.stringify([text]))];
        const set = new KeySet();
        for (const key of keys) set.add(key);
        expect([...set].sort()).toEqual([...new Set(keys)].sort());
        expect(set.has("[42]")).toBe(keys.includes("[42]"));
        for (const key of keys) expect(set.has(key)).toBe(true);
      },
    ),
  );
});

const HEADER = { id: "1", schemaVersion: SCHEMA.version, startedAt: "", endedAt: "" };

async function makeFile(lines: Line[], keys = KEYS): Promise<string> {
  const file = newFile();
  const output = openBackup(file);
  for (const line of lines) await output.write(line);
  await output.finish({ ...HEADER, keyChecks: await makeKeyChecks(keys) });
  return file;
}

async function linesOf(file: string, skipped: number): Promise<[number, Line][]> {
  const lines: [number, Line][] = [];
  for await (const line of readBackup(file, skipped)) lines.push(line);
  return lines;
}

const ACCOUNT: Line = { table: "accounts", columns: ["id", "uuid", "name", "created_at"], rows: ['[1,"a","A",0]'] };

test("a file holds its lines, and a damaged one is refused before anything is stored", async () => {
  const row = {
    day: 1,
    link: "l",
    part: 0,
    is_rollup: 0,
    clicks: 1,
    first_at: 1,
    last_at: 1,
    last_click_at: 1,
    segments: "[]",
  };
  const lines: Line[] = [ACCOUNT, { clickLog: "account:1", rows: [row] }];
  const file = await makeFile(lines);
  const { header, clickLogs } = await checkBackup(file);
  expect(header).toMatchObject({ lines: 2, rows: { accounts: 1, clicks: 1 } });
  expect([...clickLogs]).toEqual(["account:1"]);
  expect(await linesOf(file, 0)).toEqual(lines.map((line, n) => [n + 1, line]));
  expect(await linesOf(file, 1)).toEqual([[2, lines[1]]]);

  const bytes = readFileSync(file);
  for (const damaged of [bytes.subarray(0, -10), bytes.subarray(0, 200), Buffer.from("not gzip"), Buffer.alloc(0)]) {
    writeFileSync(file, damaged);
    await expect(restore([file])).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining(file) });
  }
});

test("rows of every size and the largest numbers are the same after a restore", async () => {
  const source = await newDatabase(SCHEMA);
  await source.prepare("INSERT INTO accounts VALUES (7, 'uuid', 'Zoë \"株\" \\ ''x''\n\u2028', 1)").run();
  const big = "9223372036854775807";
  await source
    .prepare(
      `INSERT INTO links (seq, id, account_id, domain, slug, url, title, tags, status, redirect_status, created_at, updated_at)
       SELECT CAST(?1 AS INTEGER) - value, 'id' || value, 7, '', 'slug' || value, 'https://example.com/' || printf('%.*c', iif(value % 50 = 0, 90000, 5), 'é'),
         'Zoë \u0001 \\', '', 'active', 302, 0, 0 FROM generate_series(1, ?2)`.replace(
        "generate_series(1, ?2)",
        "(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2) SELECT value FROM n)",
      ),
    )
    .bind(big, 2 * BACKUP_PAGE_ROWS + 7)
    .run();
  await source.prepare("INSERT INTO deleted_domains VALUES (7, 'a.example'), (7, 'b.example')").run();
  const file = newFile();
  await writeBackup(installationWith(source), file);
  const target = await newDatabase(SCHEMA);
  await restoreBackup(installationWith(target), file, await checkBackup(file), everything);
  for (const { name, columns } of tablesOf(SCHEMA))
    expect(await rowsOf(target, name, columns), name).toEqual(await rowsOf(source, name, columns));
  expect((await rowsOf(target, "links", ["seq"])).at(-1)).toBe("[9223372036854775806]");
  // New accounts do not get a number again.
  await target.prepare("INSERT INTO accounts (uuid, name, created_at) VALUES ('next', 'N', 0)").run();
  expect(await rowsOf(target, "accounts", ["id"])).toEqual(["[7]", "[8]"]);
});

test("a restore that was interrupted at any transaction continues with the same file, and with no other", async () => {
  const lines: Line[] = [
    ACCOUNT,
    ...Array.from({ length: 5 }, (_, n): Line => ({
      table: "domains",
      columns: ["id", "account_id", "domain", "token", "status", "created_at", "updated_at"],
      rows: [JSON.stringify([`d${n}`, 1, `d${n}.example`, "t", "pending", 0, 0])],
    })),
  ];
  const file = await makeFile(lines);
  const checked = await checkBackup(file);
  const target = await newDatabase(SCHEMA);
  let calls = 0;
  for (let allowed = 1; ; allowed++) {
    calls = 0;
    const between = async () => {
      if (++calls > allowed) throw new Error("interrupted");
    };
    const outcome = await restoreBackup(installationWith(target, { between }), file, checked, everything).then(
      () => "done",
      (error: Error) => error.message,
    );
    if (outcome === "done") break;
    expect(outcome).toBe("interrupted");
  }
  expect(await rowsOf(target, "domains", ["id"])).toHaveLength(5);
  expect(await target.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'restore_progress'").first()).toBeNull();

  const other = await newDatabase(SCHEMA);
  const stopAt = (last: number) => {
    let n = 0;
    return async () => {
      if (++n > last) throw new Error("interrupted");
    };
  };
  await expect(
    restoreBackup(installationWith(other, { between: stopAt(7) }), file, checked, everything),
  ).rejects.toThrow("interrupted");
  const another = { ...checked, header: { ...checked.header, id: "2" } };
  await expect(restoreBackup(installationWith(other), file, another, everything)).rejects.toThrow("another backup");
});

test("a restore refuses an installation that is not empty, other keys and another schema, and changes nothing", async () => {
  const file = await makeFile([ACCOUNT]);
  const checked = await checkBackup(file);
  const used = await newDatabase(SCHEMA);
  await used.prepare("INSERT INTO accounts VALUES (3, 'u', 'N', 0)").run();
  const into = (db: D1Database, keys = KEYS) =>
    restoreBackup(installationWith(db, { keys }), file, checked, everything);
  await expect(into(used)).rejects.toThrow(/empty installation.*rows in accounts\./);

  const empty = await newDatabase(SCHEMA);
  const [, value = ""] = KEYS.split(":");
  for (const keys of [generateEncryptionKey("k1"), `k2:${value}`])
    await expect(into(empty, keys)).rejects.toThrow("lacks the key k1");
  const newer = { ...checked, header: { ...checked.header, schemaVersion: SCHEMA.version + 1 } };
  await expect(restoreBackup(installationWith(empty), file, newer, everything)).rejects.toThrow("version");
  await expect(
    restoreBackup(
      { ...installationWith(empty), firstClickAt: () => Promise.resolve(1) },
      file,
      { ...checked, clickLogs: new Set(["account:1"]) },
      everything,
    ),
  ).rejects.toThrow("--without-clicks");
  expect(await rowsOf(empty, "accounts", ["id"])).toEqual([]);

  // A former key may stay in the list, and a new one comes first.
  await into(empty, `${generateEncryptionKey("k2")},${KEYS}`);
  expect(await rowsOf(empty, "accounts", ["id"])).toEqual(["[1]"]);
});

test("restored webhooks are held, and those that were inactive before stay so after the release", async () => {
  const columns = [
    "id",
    "account_id",
    "url",
    "events",
    "secret",
    "secret_start",
    "status",
    "disabled_reason",
    "failure_count",
    "created_at",
  ];
  const webhook = (id: string, status: string, reason: string | null) =>
    JSON.stringify([id, 1, "https://a.example/", "[]", "s", "whsec_aa", status, reason, 3, 0]);
  const rows = [webhook("a", "active", null), webhook("f", "inactive", "failures"), webhook("m", "inactive", "manual")];
  const file = await makeFile([ACCOUNT, { table: "webhooks", columns, rows }]);
  const target = await newDatabase(SCHEMA);
  expect(await restoreBackup(installationWith(target), file, await checkBackup(file), everything)).toBe(1);
  const states = () => rowsOf(target, "webhooks", ["id", "status", "disabled_reason"]);
  expect(await states()).toEqual([
    '["a","inactive","restored"]',
    '["f","inactive","failures"]',
    '["m","inactive","manual"]',
  ]);
  expect((await target.prepare(RELEASE_WEBHOOKS).all()).results).toEqual([{ id: "a" }]);
  expect(await states()).toEqual(['["a","active",null]', '["f","inactive","failures"]', '["m","inactive","manual"]']);
});

test("a backup that fails leaves no file, and the former one as it was", async () => {
  const file = newFile();
  writeFileSync(file, "former");
  const installation = installationWith(await newDatabase(SCHEMA));
  const failing = {
    ...installation,
    makeKeyChecks: () => makeKeyChecks(KEYS),
    exportClicks: () => Promise.reject(new Error("gone")),
  };
  await installation.database([{ sql: "INSERT INTO accounts VALUES (1, 'u', 'N', 0)", values: [] }]);
  await expect(writeBackup(failing, file)).rejects.toThrow("gone");
  expect(readdirSync(join(file, ".."))).toEqual(["backup.gz"]);
  expect(readFileSync(file, "utf8")).toBe("former");
});

test("at Cloudflare, the temporary Worker is a preview that is bound to the deployed Worker's ClickLogs", async () => {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  expect(temporaryConfig(config, "an-id")).toEqual({
    name: "tern-backup",
    main: expect.stringMatching(/scripts\/backup\/worker\.ts$/),
    compatibility_date: config.compatibility_date,
    compatibility_flags: config.compatibility_flags,
    d1_databases: [{ ...config.d1_databases[0], database_id: "an-id", preview_database_id: "an-id" }],
    durable_objects: { bindings: [{ name: "CLICK_LOG", class_name: "ClickLog", script_name: "tern" }] },
  });
  const target = { remote: true, stateDirectory: "", environment: null };
  expect(devArguments("/folder", 1, target)).toContain("--remote");
  expect(devArguments("/folder", 1, target).join(" ")).not.toContain("--persist-to");

  const calls: string[] = [];
  const run = async (args: readonly string[]) => {
    calls.push(args.join(" "));
    return { exitCode: 0, output: 'A notice\n[{"name": "another", "uuid": "x"}]', errors: "" };
  };
  await expect(withTemporaryWorker(target, run, () => Promise.resolve())).rejects.toThrow(
    /no database "tern".*npm run deploy/,
  );
  expect(calls).toEqual(["d1 list --json"]);
});

test.each([
  [backup, [], "--out FILE is missing"],
  [backup, ["--out", "f", "--remote", "--persist-to", "d"], "cannot be combined"],
  [backup, ["--out", "f", "--local"], "--local"],
  [restore, [], "Name one FILE"],
  [restore, ["a", "b"], "Name one FILE"],
  [restore, ["a", "--release-webhooks"], "Name one FILE"],
])("wrong usage is explained: %o %o", async (command, args, problem) => {
  const run = vi.fn();
  const failure = (await command(args, run).catch((error: unknown) => error)) as Error & { exitCode: number };
  expect(failure.exitCode).toBe(2);
  expect(failure.message).toContain(problem);
  expect(failure.message).toContain("Usage: npm run");
  expect(run).not.toHaveBeenCalled();
});
