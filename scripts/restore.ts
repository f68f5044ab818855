import { parseArgs } from "node:util";
import { checkBindings } from "./backup/bindings.ts";
import { checkBackup } from "./backup/file.ts";
import { databasesIn } from "./backup/installation.ts";
import { describeReconciled, reconcileDirectory } from "./backup/reconcile-directory.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { readTarget, TARGET_OPTIONS, TARGET_USAGE, targetArguments, type Target } from "./backup/target.ts";
import { refuseRunningService, withTemporaryWorker } from "./backup/temporary-worker.ts";
import { RELEASE_WEBHOOKS } from "./backup/write-tables.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { provideEncryptionKey, secretsFile } from "./encryption-key.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { prepareRestore } from "./several-databases.ts";
import { reviewAccess } from "./revived-access.ts";
import { CONFIG_FILE, ROOT, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run restore -- FILE [--without-clicks] [--end-access] [--remote | --persist-to DIR] [--env NAME]
       npm run restore -- --list-access | --end-access [--remote | --persist-to DIR] [--env NAME]
       npm run restore -- --release-webhooks | --reconcile [--remote | --persist-to DIR] [--env NAME]

Fills an empty installation with a backup. If it is interrupted, the same command continues it. Then it lists the keys,
members, passwords and recovery codes, because what was ended since the backup is back; at a terminal it offers to end it.
  --without-clicks    leave the clicks that the installation has: for a lost database whose Worker still exists
  --list-access       only list this: after Time Travel
  --end-access        list this, end all sessions, revoke all keys and disconnect all apps
  --reconcile         bring the directory of slugs and several databases together: after Time Travel; the service may run
  --release-webhooks  let restored webhooks send again; until then they send nothing
${TARGET_USAGE}`;

/** `npm run restore`. */
export async function restore(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { file, target, withClicks, release, reconcile, endAccess } = readArguments(args);
  if (release) return releaseWebhooks(target, run);
  if (reconcile) return reconcileDatabases(target, run);
  if (file === null) return reviewAccess(target, run, endAccess);
  // Before anything is started: a damaged file must not leave an installation half filled.
  const checked = await checkBackup(file);
  if (!target.remote) {
    refuseRunningService(target.stateDirectory);
    const databaseId = localDatabaseId(CONFIG_FILE, target.environment);
    await withLocalDatabase(target.stateDirectory, async () => {}, databaseId);
    await prepareRestore(target.stateDirectory, checked.header.databases ?? 1);
    await provideEncryptionKey(secretsFile(ROOT, target.environment));
  }
  const { held, reconciled } = await withTemporaryWorker(target, run, (installation) =>
    restoreBackup(installation, file, checked, { withClicks }),
  );
  console.log(`\nRestored ${file}, made from ${checked.header.startedAt} to ${checked.header.endedAt}.`);
  if (checked.header.databases !== undefined) console.log(describeReconciled(reconciled));
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
    let count = 0;
    for (const database of databasesIn(installation))
      count += (await database.database([{ sql: RELEASE_WEBHOOKS, values: [] }]))[0]?.length ?? 0;
    return count;
  });
  console.log(`Released ${released} webhooks.`);
}

async function reconcileDatabases(target: Target, run: Wrangler): Promise<void> {
  const reconciled = await withTemporaryWorker(target, run, async (installation) => {
    await checkBindings(installation);
    return reconcileDirectory(installation);
  });
  console.log(describeReconciled(reconciled));
}

interface Arguments {
  /** Null: only release the webhooks, or list or end the access. */
  file: string | null;
  target: Target;
  withClicks: boolean;
  release: boolean;
  reconcile: boolean;
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
        reconcile: flag,
        "list-access": flag,
        "end-access": flag,
        ...TARGET_OPTIONS,
      },
    });
    const release = values["release-webhooks"] === true;
    const endAccess = values["end-access"] === true;
    const listAccess = values["list-access"] === true;
    const reconcile = values.reconcile === true;
    const alone = [release, reconcile, endAccess || listAccess].filter(Boolean).length;
    const [file = null, ...more] = positionals;
    if (more.length > 0 || (file === null ? alone === 0 : release || reconcile || listAccess))
      throw new Error(
        "Name one FILE, or use --list-access, --end-access, --reconcile or --release-webhooks without a file.",
      );
    if (alone > 1) throw new Error(`${release ? "--release-webhooks" : "--reconcile"} cannot be combined.`);
    const withClicks = values["without-clicks"] !== true;
    return { file, target: readTarget(values), withClicks, release, reconcile, endAccess };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, WRONG_USAGE);
  }
}

if (import.meta.main) await runCommand(restore, USAGE);
