import type { HealthState } from "../../src/access/health/contract.ts";
import { HEALTH_FRESH_MS } from "../../src/access/health/limits.ts";
import { announce } from "./announce.ts";
import { readOnlyTarget, TARGET_USAGE, type Target } from "./backup/target.ts";
import { Failure, runCommand } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import { wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run health -- [--remote | --persist-to DIR] [--env NAME]

Shows what the cron last found of the parts of the service, and how to mend what fails. It exits with 1 if a part fails or
if the cron does not run.
${TARGET_USAGE}`;

interface StoredHealth {
  /** Unix milliseconds. */
  checked_at: number;
  /** A {@link HealthState} as JSON. */
  report: string;
}

/** `npm run health`. Throws a {@link Failure} if a part fails, or if there is no new report. */
export async function showHealth(args: string[], run: Wrangler = wrangler): Promise<void> {
  const target = readOnlyTarget(args, USAGE);
  announce(target);
  const latest = await readHealth(target, run);
  if (latest === undefined) throw new Failure("There is no report yet. The cron writes one every minute.");
  const { status, checks, schemaVersion, problems } = JSON.parse(latest.report) as HealthState;
  const lines = Object.entries(checks).map(([part, result]) => `  ${part.padEnd(14)}  ${result}`);
  const checkedAt = new Date(latest.checked_at).toISOString();
  const version = schemaVersion ?? "unknown";
  console.log([`Checked at ${checkedAt}, version of the tables: ${version}`, ...lines].join("\n"));
  for (const { check, problem, fix } of problems) console.log(`${check}: ${problem}\n  ${fix}`);
  if (Date.now() - latest.checked_at > HEALTH_FRESH_MS)
    throw new Failure("The report is old: the cron does not run, or cannot write to the database. Look into the logs.");
  if (status === "failed") throw new Failure("A part of the service fails.");
}

async function readHealth(target: Target, run: Wrangler): Promise<StoredHealth | undefined> {
  try {
    const [latest] = await queryDatabase<StoredHealth>(target, run, "SELECT checked_at, report FROM health_reports");
    return latest;
  } catch (error) {
    // The schema is a part that can fail, and then nothing could be stored about it.
    if (!(error instanceof Failure) || !error.message.includes("no such table")) throw error;
    throw new Failure("The database has no tables. Run npm run deploy.");
  }
}

if (import.meta.main) await runCommand(showHealth, USAGE);
