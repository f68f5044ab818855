import { parseArgs } from "node:util";
import { checkBackup } from "./backup/file.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { readTarget, TARGET_OPTIONS, TARGET_USAGE, targetArguments, type Target } from "./backup/target.ts";
import { refuseRunningService, withTemporaryWorker } from "./backup/temporary-worker.ts";
import { RELEASE_WEBHOOKS } from "./backup/write-tables.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { provideEncryptionKey, secretsFile } from "./encryption-key.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { CONFIG_FILE, ROOT, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run restore -- FILE [--without-clicks] [--remote | --persist-to DIR] [--env NAME]
       npm run restore -- --release-webhooks [--remote | --persist-to DIR] [--env NAME]

Fills an empty installation with a backup. If it is interrupted, the same command continues it.
  --without-clicks    leave the clicks that the installation has: for a lost database whose Worker still exists
  --release-webhooks  let restored webhooks send again; until then they send nothing
${TARGET_USAGE}`;

/** `npm run restore`. */
export async function restore(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { file, target, withClicks } = readArguments(args);
  if (file === null) return releaseWebhooks(target, run);
  // Before anything is started: a damaged file must not leave an installation half filled.
  const checked = await checkBackup(file);
  if (!target.remote) {
    refuseRunningService(target.stateDirectory);
    const databaseId = localDatabaseId(CONFIG_FILE, target.environment);
    await withLocalDatabase(target.stateDirectory, async () => {}, databaseId);
    await provideEncryptionKey(secretsFile(ROOT, target.environment));
  }
  const held = await withTemporaryWorker(target, run, (installation) =>
    restoreBackup(installation, file, checked, { withClicks }),
  );
  console.log(`\nRestored ${file}, made from ${checked.header.startedAt} to ${checked.header.endedAt}.`);
  if (held > 0) {
    console.log(
      `${held} webhooks are held and send nothing. To release them:\n` +
        `  npm run restore -- --release-webhooks${targetArguments(target)}`,
    );
  }
}

async function releaseWebhooks(target: Target, run: Wrangler): Promise<void> {
  const released = await withTemporaryWorker(target, run, (installation) =>
    installation.database([{ sql: RELEASE_WEBHOOKS, values: [] }]),
  );
  console.log(`Released ${released[0]?.length ?? 0} webhooks.`);
}

interface Arguments {
  /** Null: release the webhooks. */
  file: string | null;
  target: Target;
  withClicks: boolean;
}

function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { "without-clicks": { type: "boolean" }, "release-webhooks": { type: "boolean" }, ...TARGET_OPTIONS },
    });
    const release = values["release-webhooks"] === true;
    if (positionals.length !== (release ? 0 : 1))
      throw new Error("Name one FILE, or use --release-webhooks without a file.");
    return { file: positionals[0] ?? null, target: readTarget(values), withClicks: values["without-clicks"] !== true };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
}

if (import.meta.main) await runCommand(restore, USAGE);
