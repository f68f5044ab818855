import { readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { unstable_readConfig } from "wrangler";
import { backup } from "../../../../tools/scripts/backup.ts";
import { checkBackup, readBackup, type Line } from "../../../../tools/scripts/backup/file.ts";
import { KeySet } from "../../../../tools/scripts/backup/key-set.ts";
import { emptyTablesOf, tablesOf } from "../../../../tools/scripts/backup/tables.ts";
import {
  devArguments,
  temporaryConfig,
  withTemporaryWorker,
} from "../../../../tools/scripts/backup/temporary-worker.ts";
import { readSchema } from "../../../../tools/scripts/migrations.ts";
import { restore } from "../../../../tools/scripts/restore.ts";
import { ACCOUNT, makeFile } from "./support.ts";

const SCHEMA = readSchema();

async function linesOf(file: string, skipped: number): Promise<[number, Line][]> {
  const lines: [number, Line][] = [];
  for await (const line of readBackup(file, skipped)) lines.push(line);
  return lines;
}

test("the tables of a backup come from the schema, each after those that it refers to", () => {
  const names = tablesOf(SCHEMA).map(({ name }) => name);
  expect(names).toContain("links");
  expect(names.filter((name) => /fts|schema_migrations|^searchable/.test(name))).toEqual([]);
  for (const { name, references } of tablesOf(SCHEMA))
    for (const { table } of references) expect(names.indexOf(table)).toBeLessThan(names.indexOf(name));
  // A new table is in the backup unless it is named as left out.
  const leftOut = emptyTablesOf(SCHEMA).filter((name) => !names.includes(name));
  expect(leftOut.sort()).toEqual([
    "aliases",
    "broken_destination_mails",
    "click_deliveries",
    "deliveries",
    "delivery_totals",
    "destinations",
    "event_bodies",
    "guesses",
    "idempotency_keys",
    "idempotency_pieces",
    "link_claims",
    "listener_events",
    "mails",
    "operators",
    "screening_notices",
    "sessions",
    "tags",
    "tokens",
    "waiting_clicks",
  ]);
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

test("a file holds its lines, and a damaged one is refused before anything is stored", async () => {
  const row = {
    day: 1,
    link: "l",
    part: 0,
    level: 0,
    clicks: 1,
    first_at: 1,
    last_at: 1,
    last_click_at: 1,
    batches: "",
    visitors: "",
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
  const target = { remote: true, stateDirectory: "", environment: undefined };
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
