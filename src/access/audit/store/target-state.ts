import type { AuditAction } from "../actions.ts";

/** What an entry keeps of its target besides the name, such as its role, or the name and the permissions of a key. JSON. */
export interface TargetState {
  role?: string | undefined;
  name?: string | undefined;
  permissions?: readonly string[] | undefined;
  /** The number of claimed links. */
  links?: number | undefined;
  /** What the account chose; null: nothing. */
  clickRetentionDays?: number | null | undefined;
}

/**
 * SQL for the present state of a target, by the part of the action before the dot. `?` stands for its id, `$` for the internal
 * id of the account.
 */
const STATES: Readonly<Record<string, string>> = {
  key: "SELECT json_object('name', name, 'permissions', json(permissions)) FROM api_keys WHERE id = ?",
  app: "SELECT json_object('permissions', json(scopes)) FROM oauth_grants WHERE id = ?",
  member: "SELECT json_object('role', role) FROM memberships WHERE user_id = ? AND account_id = $",
  invitation: "SELECT json_object('role', role) FROM invitations WHERE id = ?",
};

/** Their entries come after the change, so the present state is the new one. */
const CREATIONS: ReadonlySet<AuditAction> = new Set<AuditAction>([
  "app.connect",
  "key.create",
  "member.add",
  "invitation.create",
]);

/** SQL for the state before and after the change of an action, at its place in the batch. `id` and `account` are SQL too. */
export function selectStates(action: AuditAction, id: string, account: string): [before: string, after: string] {
  const sql = STATES[action.slice(0, action.indexOf("."))];
  if (sql === undefined) return ["NULL", "NULL"];
  const state = `(${sql.replace("?", id).replace("$", account)})`;
  return CREATIONS.has(action) ? ["NULL", state] : [state, "NULL"];
}
