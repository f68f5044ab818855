import { Failure } from "../command.ts";
import { readSchema, type Schema } from "../migrations.ts";
import { countUsage } from "./count-usage.ts";
import { isClicksLine, readBackup, type Header } from "./file.ts";
import type { Installation } from "./installation.ts";
import { showProgress } from "./progress.ts";
import { checkSchemaVersion } from "./schema-version.ts";
import { emptyTablesOf, tablesOf } from "./tables.ts";
import { storeLine } from "./write-tables.ts";
import type { Statement } from "./worker.ts";

/** Exists while a restore is unfinished, with the number of the last line that is stored. */
const PROGRESS_TABLE = "restore_progress";

interface Checked {
  header: Header;
  clickLogs: ReadonlySet<string>;
}

/**
 * Fills an empty installation, or continues to. The backup may be of an older version of the tables: columns that it lacks get their defaults. Each line is one transaction with its number, so after an interruption
 * the next line follows. Returns the number of webhooks that are held.
 */
export async function restoreBackup(
  installation: Installation,
  file: string,
  { header, clickLogs }: Checked,
  { withClicks }: { withClicks: boolean },
  schema: Schema = readSchema(),
): Promise<number> {
  if (header.schemaVersion > schema.version) {
    throw new Failure(
      `The backup has version ${header.schemaVersion} of the schema, and this code knows none after ${schema.version}.\n` +
        "Nothing was changed. Deploy the newer code, and restore with it.",
    );
  }
  await checkSchemaVersion(installation, schema);
  await checkKeys(installation, header);
  const stored = await findProgress(installation, header);
  if (stored === null) {
    await checkEmpty(installation, schema, withClicks ? clickLogs : new Set());
    await execute(installation, [
      statement(
        `CREATE TABLE IF NOT EXISTS ${PROGRESS_TABLE} (backup_id TEXT NOT NULL PRIMARY KEY, lines INTEGER NOT NULL) STRICT`,
      ),
      statement(`INSERT OR IGNORE INTO ${PROGRESS_TABLE} (backup_id, lines) VALUES (?, 0)`, header.id),
    ]);
  } else console.log(`Continue after line ${stored} of ${header.lines}.`);

  const tables = tablesOf(schema);
  const progress = showProgress("Stored");
  try {
    for await (const [number, line] of readBackup(file, stored ?? 0)) {
      const done = statement(`UPDATE ${PROGRESS_TABLE} SET lines = ?`, number);
      if (!isClicksLine(line)) await execute(installation, [...storeLine(line, tables), done]);
      else if (withClicks) {
        // Stored twice is the same as once.
        await installation.importClicks(line.clickLog, line.rows);
        await execute(installation, [done]);
      } else {
        // The counters in the backup are older than the clicks that stay.
        await installation.importClicks(line.clickLog, []);
        continue;
      }
      progress.add(isClicksLine(line) ? "clicks" : line.table, line.rows.length);
    }
  } finally {
    progress.end();
  }
  await countUsage(installation);
  const [[row] = []] = await execute(installation, [
    statement("SELECT count(*) AS held FROM webhooks WHERE disabled_reason = 'restored'"),
    statement(`DROP TABLE IF EXISTS ${PROGRESS_TABLE}`),
  ]);
  return Number(row?.["held"]);
}

function statement(sql: string, ...values: (string | number)[]): Statement {
  return { sql, values };
}

async function execute(installation: Installation, statements: Statement[]): Promise<Record<string, unknown>[][]> {
  return installation.database(statements);
}

/** Without the keys, webhook secrets could not be read any more, and the loss would show only when they are used. */
async function checkKeys(installation: Installation, { keyChecks }: Header): Promise<void> {
  const missing = await installation.findMissingKeys(keyChecks);
  if (missing.length === 0) return;
  throw new Failure(
    `ENCRYPTION_KEYS of this installation lacks the key ${missing.join(", ")} of the backup, or has another value for it.\n` +
      "Set ENCRYPTION_KEYS to the keys of the former installation (on this machine: in .dev.vars); see docs/backup.md.",
  );
}

/** Returns the number of the last line that an interrupted restore has stored; null: there is none. */
async function findProgress(installation: Installation, { id }: Header): Promise<number | null> {
  const [[table] = []] = await execute(installation, [
    statement(`SELECT name FROM sqlite_schema WHERE name = '${PROGRESS_TABLE}'`),
  ]);
  if (table === undefined) return null;
  const [[row] = []] = await execute(installation, [statement(`SELECT backup_id, lines FROM ${PROGRESS_TABLE}`)]);
  if (row?.["backup_id"] !== id)
    throw new Failure(
      "The restore of another backup is unfinished here. Finish it with the same file, or use an empty installation.",
    );
  return Number(row["lines"]);
}

async function checkEmpty(installation: Installation, schema: Schema, clickLogs: ReadonlySet<string>): Promise<void> {
  const names = emptyTablesOf(schema);
  const found = await execute(
    installation,
    names.map((name) => statement(`SELECT 1 FROM ${name} LIMIT 1`)),
  );
  const filled = names.filter((_, n) => found[n]?.length !== 0);
  if (filled.length > 0) {
    throw new Failure(
      `A backup can only fill an empty installation, and this one has rows in ${filled.join(", ")}. Nothing was changed.\n` +
        "On this machine, use another folder: --persist-to DIR. At Cloudflare, see docs/backup.md.",
    );
  }
  for (const clickLog of clickLogs) {
    if ((await installation.firstClickAt(clickLog)) === null) continue;
    throw new Failure(
      "The database is empty, but the installation still has clicks. Nothing was changed.\n" +
        "To keep these clicks, which are newer than the backup, add --without-clicks.",
    );
  }
}
