import { parseArgs } from "node:util";
import { announce } from "./announce.ts";
import { checkBackup } from "./backup/file.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { readTarget, TARGET_OPTIONS, TARGET_USAGE, targetArguments, type Target } from "./backup/target.ts";
import { withTemporaryWorker } from "./backup/temporary-worker.ts";
import { RELEASE_WEBHOOKS } from "./backup/write-tables.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { provideEncryptionKey, secretsFile } from "./encryption-key.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { reviewAccess } from "./revived-access.ts";
import { refuseRunningService } from "./state-lock.ts";
import { CONFIG_FILE, ROOT, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run restore -- FILE [--without-clicks] [--end-access] [--remote | --persist-to DIR] [--env NAME]
       npm run restore -- --list-access | --end-access [--remote | --persist-to DIR] [--env NAME]
       npm run restore -- --release-webhooks [--remote | --persist-to DIR] [--env NAME]

Fills an empty installation with a backup. If it is interrupted, the same command continues it. Then it lists the keys,
members, passwords and recovery codes, because what was ended since the backup is back; at a terminal it offers to end it.
  --without-clicks    leave the clicks that the installation has: for a lost database whose Worker still exists
  --list-access       only list this: after Time Travel
  --end-access        list this, end all sessions, revoke all keys and disconnect all apps
  --release-webhooks  let restored webhooks send again; until then they send nothing
${TARGET_USAGE}`;

/** `npm run restore`. */
export async function restore(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { file, target, withClicks, release, endAccess } = readArguments(args);
  announce(target);
  if (release) return releaseWebhooks(target, run);
  if (file === null) return reviewAccess(target, run, endAccess);
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
  await reviewAccess(target, run, endAccess);
}

async function releaseWebhooks(target: Target, run: Wrangler): Promise<void> {
  const released = await withTemporaryWorker(target, run, async (installation) => {
    const [rows = []] = await installation.database([{ sql: RELEASE_WEBHOOKS, values: [] }]);
    return rows.length;
  });
  console.log(`Released ${released} webhooks.`);
}

interface Arguments {
  /** Null: only release the webhooks, or list or end the access. */
  file: string | null;
  target: Target;
  withClicks: boolean;
  release: boolean;
  endAccess: boolean;
}

function readArguments(args: string[]): Arguments {
  const flag = { type: "boolean" } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        "without-clicks": flag,
        "release-webhooks": flag,
        "list-access": flag,
        "end-access": flag,
        ...TARGET_OPTIONS,
      },
    });
    const release = values["release-webhooks"] === true;
    const endAccess = values["end-access"] === true;
    const listAccess = values["list-access"] === true;
    const [file = null, ...more] = positionals;
    if (more.length > 0 || (file === null ? !release && !endAccess && !listAccess : release || listAccess))
      throw new Error("Name one FILE, or use --list-access, --end-access or --release-webhooks without a file.");
    if (release && (endAccess || listAccess)) throw new Error("--release-webhooks cannot be combined.");
    const withClicks = values["without-clicks"] !== true;
    return { file, target: readTarget(values), withClicks, release, endAccess };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
}

if (import.meta.main) await runCommand(restore, USAGE);
