import type { Batch } from "../../../platform/database/batch.ts";
import { ALWAYS, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { firstIdAt, newId } from "../../../platform/lib/uuid.ts";
import { selectStates, type TargetState } from "./target-state.ts";
import type { AuditAction } from "../actions.ts";

export interface NewAuditEntry {
  /** For a batch that may run again: then the entry is there once. By default a new id. */
  id?: string;
  /** The account by one of its ids, or the personal account of a user. */
  account: { id: number } | { uuid: string } | { personalOf: string };
  /** `app` is the name of the app with which the person made the change. */
  actor: { type: "user" | "key"; id: string; app?: string };
  action: AuditAction;
  /** The id of what was changed. Never a secret. */
  targetId: string | null;
  /** From which country; null: unknown. */
  country: string | null;
  /** What the change replaced and made, or SQL for it. By default what the database has of the target at this place. */
  before?: TargetState;
  after?: TargetState | ((parameters: Parameters) => string);
}

/**
 * Adds an entry to the batch of the change that it records. `condition` is that of the change. The entry keeps the name that
 * its target has at this place of the batch: after a creation, before a change or a deletion.
 */
export function addAuditEntry(batch: Batch, entry: NewAuditEntry, now: number, condition: Condition = ALWAYS): void {
  const { id = newId(now), account, actor, action, targetId, country, before, after } = entry;
  const given = [before, typeof after === "function" ? undefined : after].map((state) =>
    state === undefined ? null : JSON.stringify(state),
  );
  const who = [actor.type, actor.id] as const;
  const parameters = new Parameters([id, ...who, action, targetId, country, now, ...given, actor.app ?? null]);
  const [accountId, source] = sourceOf(account, parameters);
  const name = targetId === null ? "NULL" : selectTargetName(action, "?5");
  const [former, made] = targetId === null ? ["NULL", "NULL"] : selectStates(action, "?5", accountId);
  const computed = typeof after === "function" ? after(parameters) : made;
  const actorName = actor.type === "key" ? "(SELECT name FROM api_keys WHERE id = ?3)" : "NULL";
  batch.add(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, country, created_at, target_name, actor_name,
       before, after, app)
     SELECT ?1, ${accountId}, ?2, ?3, ?4, ?5, ?6, ?7, ${name}, ${actorName}, coalesce(?8, ${former}), coalesce(?9, ${computed}), ?10 ${source} ${condition(parameters)} ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
}

/** SQL for the internal id of the account, and for the rows that it is read from, up to a further condition. */
function sourceOf(account: NewAuditEntry["account"], parameters: Parameters): [id: string, source: string] {
  if ("id" in account) return [parameters.add(account.id), "WHERE"];
  const [column, value] = "uuid" in account ? ["uuid", account.uuid] : ["personal_user_id", account.personalOf];
  return ["accounts.id", `FROM accounts WHERE accounts.${column} = ${parameters.add(value)} AND`];
}

/** An entry as the account's members read it. */
export interface StoredEntry {
  id: string;
  actor_type: "user" | "key" | "operator";
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  target_id: string | null;
  target_name: string | null;
  country: string | null;
  created_at: number;
  /** The name of the app with which the person made the change; null: none. */
  app: string | null;
  /** JSON objects. */
  before: string | null;
  after: string | null;
}

/** SQL for the name that the user had at the time; null: the user is deleted. */
const nameAt = (user: string, time: string) =>
  `coalesce((SELECT name FROM former_names WHERE user_id = ${user} AND until > ${time} ORDER BY until LIMIT 1),
     (SELECT name FROM users WHERE id = ${user}))`;
/** SQL for the name that the user had until the time. */
const nameUntil = (user: string, time: string) =>
  `(SELECT name FROM former_names WHERE user_id = ${user} AND until = ${time})`;

const IS_OF_PERSON = "(e.action GLOB 'member.*' OR e.action IN ('team.transfer', 'password.reset_link'))";
const RENAMED = "e.action = 'user.update'";

/** Which entries are read. */
export interface AuditFilter {
  /** Unix milliseconds; `before` is exclusive. */
  from?: number | undefined;
  before?: number | undefined;
  /** Actions, or kinds of them. */
  actions?: readonly string[] | undefined;
  /** The id of a person or a key. */
  actor?: string | undefined;
}

/** The ids of the period that the page and the filter have in common. */
function idsOf(page: Page, { from, before }: AuditFilter): [first: string, end: string] {
  const [end] = boundsOf(page);
  const limit = before === undefined ? end : firstIdAt(before);
  return [from === undefined ? "" : firstIdAt(from), limit < end ? limit : end];
}

/** Whether the account has more entries in the period of the page and the filter, whoever made them and whatever they are. */
export async function hasMoreEntries(
  db: D1Database,
  accountId: number,
  page: Page,
  filter: AuditFilter,
  count: number,
): Promise<boolean> {
  const next = await db
    .prepare("SELECT id FROM audit_entries WHERE account_id = ?1 AND id >= ?2 AND id < ?3 LIMIT 1 OFFSET ?4")
    .bind(accountId, ...idsOf(page, filter), count)
    .first();
  return next !== null;
}

/** The entries of the account that match, newest first; one more than the page holds. */
export async function listAuditEntries(
  db: D1Database,
  accountId: number,
  page: Page,
  filter: AuditFilter = {},
): Promise<StoredEntry[]> {
  const [, limit, offset] = boundsOf(page);
  const { results } = await db
    .prepare(
      `SELECT e.id, e.actor_type, e.actor_id, e.action, e.target_id, e.country, e.created_at, e.app,
         iif(e.actor_type = 'user', ${nameAt("e.actor_id", "e.created_at")}, e.actor_name) AS actor_name,
         iif(${IS_OF_PERSON}, ${nameAt("e.target_id", "e.created_at")}, e.target_name) AS target_name,
         iif(${RENAMED}, json_object('name', ${nameUntil("e.target_id", "e.created_at")}), e.before) AS before,
         iif(${RENAMED}, json_object('name', ${nameAt("e.target_id", "e.created_at")}), e.after) AS after
       FROM audit_entries e WHERE e.account_id = ?1 AND e.id >= ?2 AND e.id < ?3 AND (?4 IS NULL OR e.actor_id = ?4)
         AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(?5) WHERE e.action = value OR e.action GLOB value || '.*'))
       ORDER BY e.id DESC LIMIT ?6 OFFSET ?7`,
    )
    .bind(accountId, ...idsOf(page, filter), filter.actor ?? null, toJson(filter.actions), limit, offset)
    .all<StoredEntry>();
  return results;
}

const toJson = (values: readonly string[] | undefined) => (values === undefined ? null : JSON.stringify(values));

/** Holds until the audit log has the entry with this id. */
export function isFirstEntry(id: string): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM audit_entries WHERE id = ${id})`;
}

/**
 * Where the name of a target is, by the part of the action before the dot. `?` stands for the id. Names of persons are not
 * here: lists read the one of the time from `former_names`. The address of an invitation is removed with its person.
 */
const NAMES: Readonly<Record<string, string>> = {
  app: "SELECT client_name FROM oauth_grants WHERE id = ?",
  key: "SELECT name FROM api_keys WHERE id = ?",
  webhook: "SELECT shown_url FROM webhooks WHERE id = ?",
  domain: "SELECT domain FROM domains WHERE id = ?",
  shared_page: "SELECT title FROM shared_pages WHERE id = ?",
  passkey: "SELECT name FROM passkeys WHERE id = ?",
  invitation: "SELECT email FROM invitations WHERE id = ?",
};

/** Actions whose target is of another kind. */
const OTHER_NAMES: Readonly<Partial<Record<AuditAction, string>>> = {
  "team.create": "SELECT name FROM accounts WHERE uuid = ?",
};

/** SQL for the present name of the target of an action; `id` is SQL too. Targets of some kinds have none. */
function selectTargetName(action: AuditAction, id: string): string {
  const sql = OTHER_NAMES[action] ?? NAMES[action.slice(0, action.indexOf("."))];
  return sql === undefined ? "NULL" : `(${sql.replace("?", id)})`;
}
