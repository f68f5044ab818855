import type { AuditAction } from "../actions.ts";

/**
 * Where the name of a target is, by the part of the action before the dot. `?` stands for the id. Names and addresses of
 * persons are not here: an entry that kept them would keep them longer than the person. Lists read them.
 */
const NAMES: Readonly<Record<string, string>> = {
  key: "SELECT name FROM api_keys WHERE id = ?",
  webhook: "SELECT shown_url FROM webhooks WHERE id = ?",
  domain: "SELECT domain FROM domains WHERE id = ?",
  shared_page: "SELECT title FROM shared_pages WHERE id = ?",
  passkey: "SELECT name FROM passkeys WHERE id = ?",
};

/** Actions whose target is of another kind. */
const OTHER_NAMES: Readonly<Partial<Record<AuditAction, string>>> = {
  "team.create": "SELECT name FROM accounts WHERE uuid = ?",
};

/** SQL for the present name of the target of an action; `id` is SQL too. Targets of some kinds have none. */
export function selectTargetName(action: AuditAction, id: string): string {
  const sql = OTHER_NAMES[action] ?? NAMES[action.slice(0, action.indexOf("."))];
  return sql === undefined ? "NULL" : `(${sql.replace("?", id)})`;
}
