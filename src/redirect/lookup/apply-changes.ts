import { databasesOf } from "../../database/databases.ts";
import { describeError, log } from "../../lib/log.ts";
import { decodeChanges } from "./cache-changes.ts";
import { publishChanges } from "./publish.ts";

/** Publishes the changes of which the full Worker has told, in the data centre of their caller. Never throws: they have been made. */
export async function applyChanges(header: string, requestId: string, env: Env, ctx: ExecutionContext): Promise<void> {
  const background = { env, waitUntil: (promise: Promise<unknown>) => ctx.waitUntil(promise), now: Date.now() };
  try {
    const told = decodeChanges(header);
    await Promise.all(
      databasesOf(env).map((db, number) => {
        const changes = told.filter(({ database }) => database === number).map(({ change }) => change);
        return publishChanges({ ...background, db }, changes);
      }),
    );
  } catch (error) {
    log("warn", "changes_not_applied", { requestId, ...describeError(error) });
  }
}
