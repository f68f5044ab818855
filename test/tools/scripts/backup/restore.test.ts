import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeBackup } from "../../../../tools/scripts/backup.ts";
import { checkBackup, type Line } from "../../../../tools/scripts/backup/file.ts";
import { countUsage } from "../../../../tools/scripts/backup/count-usage.ts";
import type { Installation } from "../../../../tools/scripts/backup/installation.ts";
import { restoreBackup } from "../../../../tools/scripts/backup/restore-backup.ts";
import { tablesOf } from "../../../../tools/scripts/backup/tables.ts";
import { RELEASE_WEBHOOKS } from "../../../../tools/scripts/backup/write-tables.ts";
import { readSchema } from "../../../../tools/scripts/migrations.ts";
import { makeKeyChecks } from "../../../../src/click-log/log/backup.ts";
import { generateEncryptionKey } from "../../../../src/platform/lib/encryption.ts";
import { BACKUP_PAGE_ROWS } from "../../../../tools/scripts/limits.ts";
import { ACCOUNT, installationWith, KEYS, makeFile, newDatabase, newFile, rowsOf, schemaWithMore } from "./support.ts";

const SCHEMA = readSchema();
const everything = { withClicks: true };

test("rows of every size and the largest numbers are the same after a restore", async () => {
  const schema = schemaWithMore();
  const source = await newDatabase(schema);
  await source
    .prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (7, 'uuid', 'Zoë \"株\" \\ ''x''\n\u2028', 1)")
    .run();
  await source.batch(
    [
      "INSERT INTO users VALUES ('user', 'Ann@example.com', 'ann@example.com', 'Ann', 'scrypt', 0, '', NULL, NULL)",
      "INSERT INTO memberships VALUES (7, 'user', 'owner', 0)",
      "INSERT INTO totp_factors VALUES ('user', 'k1.a.b', 0, 0, 58000000, 'request')",
      "INSERT INTO recovery_codes VALUES ('hash', 'user', 0, NULL), ('used', 'user', 0, 'request')",
      "INSERT INTO passkeys VALUES ('passkey', 'user', 'Phone', 'credential', 'handle', 'key', 7, '[]', 1, 0, NULL)",
      "INSERT INTO sessions VALUES ('session', 'hash', 'user', 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL)",
    ].map((sql) => source.prepare(sql)),
  );
  const big = "9223372036854775807";
  await source
    .prepare(
      `INSERT INTO links (seq, id, account_id, domain, slug, url, rules, title, tags, status, redirect_status, created_at, updated_at)
       SELECT CAST(?1 AS INTEGER) - value, 'id' || value, 7, '', 'slug' || value, 'https://example.com/', printf('%.*c', iif(value % 50 = 0, 90000, 5), 'é'),
         'Zoë \u0001 \\', NULL, 'active', 302, 0, 0 FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2) SELECT value FROM n)`,
    )
    .bind(big, 2 * BACKUP_PAGE_ROWS + 7)
    .run();
  await source
    .prepare(
      `INSERT INTO shared_pages SELECT 'page', account_id, seq, id, NULL, NULL, 'Zoë', 'hash', 'k1.a.b', NULL, NULL, 1, 1, 2, NULL, NULL
       FROM links WHERE id = 'id1'`,
    )
    .run();
  await source.prepare("INSERT INTO deleted_domains VALUES (7, 'a.example'), (7, 'b.example')").run();
  await source.prepare("INSERT INTO test_wide (id, column0, column69) VALUES (1, 'first', '[\"last\"]')").run();
  // As after a change during the backup: the links are counted anew, and the operator's quotas stay.
  await source.prepare("UPDATE account_usage SET links = 17, link_bytes = 4, max_links = 5").run();
  const file = newFile();
  await writeBackup(installationWith(source), file, schema);
  const target = await newDatabase(schema);
  await restoreBackup(installationWith(target), file, await checkBackup(file), everything, schema);
  await countUsage(installationWith(source));
  expect(await rowsOf(source, "account_usage", ["links", "max_links"])).toEqual(["[1007,5]"]);
  for (const { name, columns } of tablesOf(schema))
    for (let first = 0; first < columns.length; first += 30) {
      const some = columns.slice(first, first + 30);
      expect(await rowsOf(target, name, some), name).toEqual(await rowsOf(source, name, some));
    }
  expect((await rowsOf(target, "links", ["seq"])).at(-1)).toBe("[9223372036854775806]");
  // Persons come back with their memberships and second factors, and without sessions.
  expect(await rowsOf(target, "passkeys", ["id"])).toEqual(['["passkey"]']);
  expect(await rowsOf(target, "memberships", ["user_id", "role"])).toEqual(['["user","owner"]']);
  expect(await rowsOf(target, "sessions", ["id"])).toEqual([]);
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
  await used.prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (3, 'u', 'N', 0)").run();
  const into = (db: D1Database, keys = KEYS) =>
    restoreBackup(installationWith(db, { keys }), file, checked, everything);
  await expect(into(used)).rejects.toThrow(/empty installation.*rows in account_usage, accounts\./);

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

test("without clicks, the ClickLogs keep theirs and are asked for all counters again", async () => {
  const row = { day: 1, link: "l", part: 0, level: 0, clicks: 1, first_at: 1, last_at: 1, last_click_at: 1 };
  const texts = { batches: "", visitors: "", segments: "" };
  const file = await makeFile([ACCOUNT, { clickLog: "account:1", rows: [{ ...row, ...texts }] }]);
  const imported: unknown[] = [];
  const installation: Installation = {
    ...installationWith(await newDatabase(SCHEMA)),
    firstClickAt: () => Promise.resolve(1),
    importClicks: (clickLog, rows) => Promise.resolve(void imported.push([clickLog, rows])),
  };
  await restoreBackup(installation, file, await checkBackup(file), { withClicks: false });
  expect(imported).toEqual([["account:1", []]]);
});

test("owners are not told again of takedowns whose mails were due at the time of the backup", async () => {
  const source = await newDatabase(SCHEMA);
  await source.batch([
    source.prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (7, 'uuid', 'Zoë', 1)"),
    source.prepare(
      `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by)
       VALUES ('t', 'host', 'evil.dev', 'evil.dev', 1, 1, 'u')`,
    ),
    source.prepare("INSERT INTO takedown_accounts VALUES (7, 't', 5)"),
  ]);
  const file = newFile();
  await writeBackup(installationWith(source), file);
  const target = await newDatabase(SCHEMA);
  await restoreBackup(installationWith(target), file, await checkBackup(file), everything);
  expect(await rowsOf(target, "takedown_accounts", ["account_id", "due_at"])).toEqual(["[7,null]"]);
});

test("restored webhooks are held, and those that were inactive before stay so after the release", async () => {
  const columns = [
    "id",
    "account_id",
    "url",
    "host",
    "events",
    "secret",
    "secret_start",
    "status",
    "disabled_reason",
    "failure_count",
    "created_at",
    "listener_slot",
  ];
  const webhook = (id: string, status: string, reason: string | null, slot: number | null = null) =>
    JSON.stringify([id, 1, "https://a.example/", "a.example", "[]", "s", "whsec_aa", status, reason, 3, 0, slot]);
  // Listeners are in the same table, and are not restored.
  const listener = webhook("l", "active", null, 1);
  const rows = [
    webhook("a", "active", null),
    webhook("f", "inactive", "failures"),
    listener,
    webhook("m", "inactive", "manual"),
  ];
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
  await installation.database([
    { sql: "INSERT INTO accounts (id, uuid, name, created_at) VALUES (1, 'u', 'N', 0)", values: [] },
  ]);
  await expect(writeBackup(failing, file)).rejects.toThrow("gone");
  expect(readdirSync(join(file, ".."))).toEqual(["backup.gz"]);
  expect(readFileSync(file, "utf8")).toBe("former");
});
