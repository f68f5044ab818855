import type { AuditAction } from "../actions.ts";

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
export function selectTargetName(action: AuditAction, id: string): string {
  const sql = OTHER_NAMES[action] ?? NAMES[action.slice(0, action.indexOf("."))];
  return sql === undefined ? "NULL" : `(${sql.replace("?", id)})`;
}
