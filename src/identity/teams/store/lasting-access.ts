import type { AuditAction } from "../../../access/audit/actions.ts";
import { addAuditEntriesOf, entriesOf, newSeries, type Actor } from "../../../access/audit/store/series.ts";
import type { Permission } from "../../../platform/auth/permissions.ts";
import { roleHas, type Role } from "../../../platform/auth/roles.ts";
import type { Batch, Result } from "../../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import type { LastingAccess } from "../schemas.ts";

/**
 * Lasting access: keys, webhooks and so on that keep working after the person has left the account. They are made with a session,
 * or with a key in a line of keys that the person began. Revoked keys are part of the line.
 */

/** A person in an account. */
interface Subject {
  accountId: number;
  userId: string;
}

/** Holds for rows that the person created, or whose URL the person set. The two columns name who did each. */
function isBy({ userId }: Subject, table: string, did: "created" | "url_set" = "created"): Condition {
  return (parameters) => {
    const id = parameters.add(userId);
    return `(${table}.${did}_by_user IS ${id} OR EXISTS (
      SELECT 1 FROM api_keys line WHERE line.id = ${table}.${did}_by_key AND line.descends_from = ${id}))`;
  };
}

const isOf =
  ({ accountId }: Subject, sql: string): Condition =>
  (parameters) =>
    `account_id = ${parameters.add(accountId)} AND ${sql}`;

interface Kind {
  name: keyof LastingAccess;
  table: string;
  /** Holds for what goes on and the person made. */
  isMade: (subject: Subject, now: number) => Condition;
  /** SQL for the name of a row, without secrets. */
  label: string;
  /** A role that has this permission may have them. */
  permission: Permission;
  /** What records the end of one. */
  action: AuditAction;
}

const KINDS: readonly Kind[] = [
  {
    name: "keys",
    table: "api_keys",
    isMade: (subject, now) => holds`${isOf(subject, "revoked_at IS NULL")} AND descends_from = ${subject.userId}
      AND coalesce(expires_at > ${now}, true)`,
    label: "name",
    permission: "keys:write",
    action: "key.revoke",
  },
  {
    name: "webhooks",
    table: "webhooks",
    isMade: (subject) => holds`${isOf(subject, "listener_slot IS NULL")}
      AND (${isBy(subject, "webhooks")} OR ${isBy(subject, "webhooks", "url_set")})`,
    label: "shown_url",
    permission: "webhooks:write",
    action: "webhook.delete",
  },
  {
    name: "listeners",
    table: "webhooks",
    isMade: (subject, now) => holds`${isOf(subject, "listener_slot IS NOT NULL")} AND expires_at > ${now}
      AND ${isBy(subject, "webhooks")}`,
    label: "NULL",
    permission: "webhooks:write",
    action: "listener.delete",
  },
  {
    name: "sharedPages",
    table: "shared_pages",
    isMade: (subject) => allOf(isOf(subject, "true"), isBy(subject, "shared_pages")),
    label: "title",
    permission: "links:write",
    action: "shared_page.delete",
  },
];

/** The result of reading lasting access, once the batch is committed. */
type Read = () => LastingAccess;

/** Reads what the person made and what goes on. */
export function readLastingAccess(batch: Batch, subject: Subject, now: number): Read {
  const lists = KINDS.map(({ name, table, isMade, label }) => {
    const parameters = new Parameters();
    const rows = `${table} WHERE ${isMade(subject, now)(parameters)} ORDER BY id DESC`;
    return { name, result: batch.add<Row>(`SELECT id, ${label} AS label FROM ${rows}`, parameters.values) };
  });
  return () => toAccess((kind) => lists.find(({ name }) => name === kind)?.result.rows ?? []);
}

/**
 * Ends what the person made, with entries in the audit log, if the condition holds. What `role` may have stays; null: the
 * person has no role any more. Idempotent: what was ended is read from the entries.
 */
export function endLastingAccess(
  batch: Batch,
  subject: Subject,
  role: Role | null,
  { actor, country, now }: { actor: Actor; country: string | null; now: number },
  condition: Condition,
): { ended: Read; webhooksLeft: Result<{ id: string }> } {
  const series = newSeries(now);
  const { accountId } = subject;
  for (const { table, isMade, permission, action, name, label } of KINDS) {
    if (role !== null && roleHas(role, permission)) continue;
    const isEnded = allOf(isMade(subject, now), condition);
    addAuditEntriesOf(batch, { series, actor, action, country }, now, { table, label, condition: isEnded });
    const parameters = new Parameters();
    const end = name === "keys" ? `UPDATE ${table} SET revoked_at = ${parameters.add(now)}` : `DELETE FROM ${table}`;
    batch.add(`${end} WHERE ${isEnded(parameters)}`, parameters.values);
  }
  if (role === null) deleteOwn(batch, subject, condition);
  const entries = entriesOf(series, accountId);
  for (const table of ["click_deliveries", "waiting_clicks"])
    batch.add(
      `DELETE FROM ${table} WHERE webhook_id IN (SELECT target_id ${entries.sql} AND action IN ('webhook.delete', 'listener.delete'))`,
      entries.values,
    );
  const ended = batch.add<Row & { action: AuditAction }>(
    `SELECT action, target_id AS id, target_name AS label ${entries.sql} ORDER BY id DESC`,
    entries.values,
  );
  const webhooksLeft = batch.add<{ id: string }>("SELECT id FROM webhooks WHERE account_id = ?1", [accountId]);
  const ofKind = (kind: Kind["name"]) =>
    ended.rows.filter(({ action }) => KINDS.some(({ name, action: own }) => name === kind && own === action));
  return { ended: () => toAccess(ofKind), webhooksLeft };
}

/** Nobody else sees the views that a person has not shared, and gets the reports. */
function deleteOwn(batch: Batch, { accountId, userId }: Subject, condition: Condition): void {
  batch.sql`DELETE FROM saved_views WHERE account_id = ${accountId} AND user_id = ${userId} AND ${condition}`;
  batch.sql`DELETE FROM mail_reports WHERE account_id = ${accountId} AND user_id = ${userId} AND ${condition}`;
}

interface Row {
  id: string;
  label: string | null;
}

function toAccess(rowsOf: (kind: keyof LastingAccess) => readonly Row[]): LastingAccess {
  return {
    keys: rowsOf("keys").map(({ id, label }) => ({ id, name: label ?? "" })),
    webhooks: rowsOf("webhooks").map(({ id, label }) => ({ id, url: label ?? "" })),
    listeners: rowsOf("listeners").map(({ id }) => ({ id })),
    sharedPages: rowsOf("sharedPages").map(({ id, label }) => ({ id, title: label })),
  };
}
