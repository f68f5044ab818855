import { isLive } from "../../account/store/deletion.ts";
import type { Permission } from "../../auth/permissions.ts";
import { ROLES, roleHas } from "../../auth/roles.ts";
import { Batch } from "../../database/batch.ts";
import { allOf, type Condition } from "../../database/parameters.ts";
import { addCheck } from "../../people/users/store.ts";
import { hasRole } from "../../teams/store/members.ts";
import type { JobStarter } from "../job.ts";

/** Whether the account works, and the person or the key has all of the permissions there. */
export async function hasAccess(
  db: D1Database,
  accountId: number,
  starter: JobStarter,
  permissions: readonly Permission[],
  now: number,
): Promise<boolean> {
  const batch = new Batch(db);
  const isAllowed =
    starter.type === "key"
      ? keyHas(accountId, starter.keyId, permissions, now)
      : allOf(hasRole(accountId, starter.userId, rolesWith(permissions)), isEnabled(accountId));
  const check = addCheck(batch, allOf(isAllowed, isLive(accountId)));
  await batch.commitWithRetry();
  return check.first !== undefined;
}

function rolesWith(permissions: readonly Permission[]) {
  return ROLES.filter((role) => permissions.every((permission) => roleHas(role, permission)));
}

function keyHas(accountId: number, keyId: string, permissions: readonly Permission[], now: number): Condition {
  return (parameters) =>
    `EXISTS (SELECT 1 FROM api_keys k WHERE k.id = ${parameters.add(keyId)} AND k.account_id = ${parameters.add(accountId)}
       AND k.revoked_at IS NULL AND coalesce(k.expires_at > ${parameters.add(now)}, true) AND k.account_disabled_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM json_each(${parameters.add(JSON.stringify(permissions))}) needed
         WHERE needed.value NOT IN (SELECT value FROM json_each(k.permissions))))`;
}

/** Holds unless the operator has disabled the account. */
function isEnabled(accountId: number): Condition {
  return (parameters) =>
    `EXISTS (SELECT 1 FROM accounts WHERE id = ${parameters.add(accountId)} AND disabled_at IS NULL)`;
}
