import type { BackedUpRow, BackupCursor, KeyCheck } from "../../../src/click-log/log/backup.ts";
import type { ClickLog } from "../../../src/objects.ts";

// The temporary Worker of `npm run backup` and `npm run restore`. It runs only while one of them does, and answers only
// to the secret that the command generated.

/** A statement with its bound values. */
export interface Statement {
  sql: string;
  values: (string | number | null)[];
}

/** What the command sends, as JSON. */
export type Call =
  | { type: "now" }
  | { type: "database"; statements: Statement[] }
  | { type: "firstClickAt"; clickLog: string }
  | { type: "exportClicks"; clickLog: string; after: BackupCursor | null }
  | { type: "importClicks"; clickLog: string; rows: BackedUpRow[] }
  | { type: "makeKeyChecks" }
  | { type: "findMissingKeys"; checks: KeyCheck[] };

interface TemporaryEnv {
  DB: D1Database;
  CLICK_LOG: DurableObjectNamespace<ClickLog>;
  BACKUP_SECRET: string;
}

/** Any ClickLog knows the keys. This one has no clicks. */
const ANY_CLICK_LOG = "health";

export default {
  async fetch(request, env) {
    if (request.headers.get("Authorization") !== `Bearer ${env.BACKUP_SECRET}`)
      return new Response(null, { status: 404 });
    const call: Call = await request.json();
    try {
      return Response.json({ result: (await answer(call, env)) ?? null });
    } catch (error) {
      return Response.json({ error: String(error) }, { status: 500 });
    }
  },
} satisfies ExportedHandler<TemporaryEnv>;

function answer(call: Call, env: TemporaryEnv): unknown {
  const { CLICK_LOG } = env;
  switch (call.type) {
    case "now":
      return Date.now();
    case "database":
      return runStatements(env.DB, call.statements);
    case "firstClickAt":
      return CLICK_LOG.getByName(call.clickLog).firstClickAt();
    case "exportClicks":
      return CLICK_LOG.getByName(call.clickLog).exportClicks(call.after);
    case "importClicks":
      return CLICK_LOG.getByName(call.clickLog).importClicks(call.rows, accountOf(call.clickLog));
    case "makeKeyChecks":
      return CLICK_LOG.getByName(ANY_CLICK_LOG).makeKeyChecks();
    case "findMissingKeys":
      return CLICK_LOG.getByName(ANY_CLICK_LOG).findMissingKeys(call.checks);
    default:
      throw new Error("The call is unknown.");
  }
}

/** Null for anonymous links. */
function accountOf(clickLog: string): number | null {
  const [kind, id] = clickLog.split(":");
  return kind === "account" ? Number(id) : null;
}

async function runStatements(db: D1Database, statements: Statement[]): Promise<unknown[][]> {
  const results = await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
  return results.map(({ results }) => results);
}
