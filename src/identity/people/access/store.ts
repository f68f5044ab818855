import type { AuditAction } from "../../../access/audit/actions.ts";
import { addAuditEntriesOf, newSeries } from "../../../access/audit/store/series.ts";
import { rolesWith } from "../../../platform/auth/roles.ts";
import type { CallContext } from "../../../platform/context.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import type { PersonAccess } from "./contract.ts";

/**
 * What a person made that reads without a session of the person: connected apps, and shared pages, as far as the person's
 * role in the account may delete them. What was made with a key stays with the key.
 */
interface Kind {
  table: string;
  isMade: (userId: string, now: number) => Condition;
  /** SQL for the name of a row, without secrets. */
  label: string;
  action: AuditAction;
}

/** Apps, then shared pages. */
const KINDS: readonly [Kind, Kind] = [
  {
    table: "oauth_grants",
    isMade: (userId, now) => holds`user_id = ${userId} AND expires_at > ${now}`,
    label: "client_name",
    action: "app.disconnect",
  },
  {
    table: "shared_pages",
    isMade: (userId) => holds`created_by_user = ${userId} AND account_id IN (SELECT account_id FROM memberships
      WHERE user_id = ${userId} AND role IN (SELECT value FROM json_each(${JSON.stringify(rolesWith("links:write"))})))`,
    label: "coalesce(title, tag)",
    action: "shared_page.delete",
  },
];

interface Row {
  id: string;
  label: string | null;
  account: string;
}

/** Reads what the person made, newest first. */
export async function readAccess(db: D1Database, userId: string, now: number): Promise<PersonAccess> {
  const batch = new Batch(db);
  const [apps, pages] = KINDS.map(({ table, isMade, label }) => {
    const parameters = new Parameters();
    return batch.add<Row>(
      `SELECT id, ${label} AS label, (SELECT name FROM accounts WHERE id = account_id) AS account
       FROM ${table} WHERE ${isMade(userId, now)(parameters)} ORDER BY id DESC`,
      parameters.values,
    );
  });
  await batch.commit();
  return {
    apps: (apps?.rows ?? []).map(({ id, label, account }) => ({ id, name: label ?? "", account })),
    sharedPages: (pages?.rows ?? []).map(({ id, label, account }) => ({ id, title: label, account })),
  };
}

/** Ends what the person made, with an entry for each in the audit log of its account, if the condition holds. Idempotent. */
export function endAccess(
  batch: Batch,
  { now, country }: Pick<CallContext, "now" | "country">,
  userId: string,
  condition: Condition,
): void {
  const series = newSeries(now);
  const actor = { type: "user", id: userId } as const;
  for (const { table, isMade, label, action } of KINDS) {
    const isEnded = allOf(isMade(userId, now), condition);
    addAuditEntriesOf(batch, { series, actor, action, country }, now, { table, label, condition: isEnded });
    const parameters = new Parameters();
    batch.add(`DELETE FROM ${table} WHERE ${isEnded(parameters)}`, parameters.values);
  }
}
