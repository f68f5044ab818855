import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { announce } from "./announce.ts";
import { openBackup, type Header, type Line, isClicksLine } from "./backup/file.ts";
import type { Installation } from "./backup/installation.ts";
import { showProgress } from "./backup/progress.ts";
import { readClicks } from "./backup/read-clicks.ts";
import { readDatabase } from "./backup/read-tables.ts";
import { checkSchemaVersion } from "./backup/schema-version.ts";
import { tablesOf } from "./backup/tables.ts";
import { readTarget, TARGET_OPTIONS, TARGET_USAGE, targetArguments, type Target } from "./backup/target.ts";
import { withTemporaryWorker } from "./backup/temporary-worker.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { readSchema, type Schema } from "./migrations.ts";
import { wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run backup -- --out FILE [--remote | --persist-to DIR] [--env NAME]

Writes the database and the clicks of an installation into a file, while the service runs or, on this machine,
while it is stopped. The file has no encryption keys.
  --out FILE        the new file, such as tern-2030-01-31.jsonl.gz; it is replaced when the backup is complete
${TARGET_USAGE}`;

/** `npm run backup`. */
export async function backup(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { file, target } = readArguments(args);
  announce(target);
  const header = await withTemporaryWorker(target, run, (installation) => writeBackup(installation, file));
  console.log(
    `\nWrote ${file}: each link as it was at one moment between ${header.startedAt} and ${header.endedAt}.\n` +
      `The keys in ENCRYPTION_KEYS (${header.keyChecks.map(({ keyId }) => keyId).join(", ")}) are not in the file, and a restore needs them.\n` +
      `To restore it into an empty installation: npm run restore -- ${file}${target.remote ? targetArguments(target) : " --persist-to NEW_DIR"}`,
  );
}

/** Writes a backup of the installation. If that fails, no file is left. */
export async function writeBackup(
  installation: Installation,
  file: string,
  schema: Schema = readSchema(),
): Promise<Header> {
  await checkSchemaVersion(installation, schema);
  const startedAt = await installation.now();
  const keyChecks = await installation.makeKeyChecks();
  const output = openBackup(file);
  const progress = showProgress("Read");
  const write = async (line: Line) => {
    await output.write(line);
    progress.add(isClicksLine(line) ? "clicks" : line.table, line.rows.length);
  };
  try {
    const rows = readDatabase(installation, tablesOf(schema), startedAt);
    let page = await rows.next();
    for (; page.done !== true; page = await rows.next()) await write(page.value);
    await readClicks(installation, page.value, write);
    const endedAt = await installation.now();
    const toText = (time: number) => new Date(time).toISOString();
    return await output.finish({
      id: randomUUID(),
      schemaVersion: schema.version,
      startedAt: toText(startedAt),
      endedAt: toText(endedAt),
      keyChecks,
    });
  } catch (error) {
    await output.discard();
    throw error;
  } finally {
    progress.end();
  }
}

function readArguments(args: string[]): { file: string; target: Target } {
  try {
    const { values } = parseArgs({ args, options: { out: { type: "string" }, ...TARGET_OPTIONS } });
    if (values.out === undefined || values.out === "") throw new Error("--out FILE is missing.");
    return { file: values.out, target: readTarget(values) };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
}

if (import.meta.main) await runCommand(backup, USAGE);
