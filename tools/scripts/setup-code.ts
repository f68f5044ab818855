import { hashSetupCode, newSetupCode } from "../../src/identity/setup/code.ts";
import { SETUP_CODE_TTL_MS } from "../../src/identity/setup/limits.ts";
import { DATABASE_TIME, IS_CLAIMED } from "../../src/platform/installation/store.ts";
import { literal } from "./account-sql.ts";
import type { Target } from "./backup/target.ts";
import { Failure } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

/** Runs a statement in the database of an installation, and returns its rows. */
export type Query = (sql: string) => Promise<unknown[]>;

/** Gives an installation without an owner a setup code, unless it has one that counts. Returns the new code, or null. */
export function provideSetupCode(query: Query): Promise<string | null> {
  return storeCode(query, `code_hash IS NULL OR code_made_at <= ${DATABASE_TIME} - ${SETUP_CODE_TTL_MS}`);
}

/** Gives an installation without an owner another setup code. Returns null if it has an owner. */
export function replaceSetupCode(query: Query): Promise<string | null> {
  return storeCode(query, "TRUE");
}

/** `npm run account -- setup-code`. */
export async function printSetupCode(target: Target, run: Wrangler): Promise<void> {
  const code = await replaceSetupCode((sql) => queryDatabase(target, run, sql));
  if (code === null) throw new Failure("This installation has an owner already, so no setup code counts.");
  console.log(describeSetupCode(code));
}

/** What the operator reads. `origin` is that of the installation, if it is known. */
export function describeSetupCode(code: string, origin = ""): string {
  const link = origin === "" ? "" : `\nOr open ${origin}/app/claim#token=${code}`;
  return `This installation has no owner yet. Open its page /app, and enter the setup code within 7 days:\n  ${code}${link}`;
}

async function storeCode(query: Query, condition: string): Promise<string | null> {
  const code = newSetupCode();
  const hash = literal(await hashSetupCode(code));
  const rows = await query(
    `UPDATE installation SET code_hash = ${hash}, code_made_at = ${DATABASE_TIME}
     WHERE NOT ${IS_CLAIMED} AND (${condition}) RETURNING id`,
  );
  return rows.length === 0 ? null : code;
}
