import type { MemberPermission, Permission } from "../auth/permissions.ts";
import { rolesWith } from "../auth/roles.ts";
import type { Batch } from "../database/batch.ts";
import { allOf, ALWAYS, type Condition } from "../database/parameters.ts";
import { addAuditEntry } from "./store/entries.ts";
import type { AuditAction } from "./actions.ts";
import { isConfirmedSince, sessionActs } from "../auth/store/conditions.ts";
import type { PersonPrincipal, RequestContext } from "../auth/principal.ts";

/** A change of an account by a caller, as its batch guards and records it. */
export interface AccountChange {
  accountId: number;
  /** Unix milliseconds. */
  now: number;
  /** Holds while the person's session and role permit it: another request may have ended the session or changed the role. For keys it always holds. */
  isAllowed: Condition;
  /**
   * Adds an entry to the audit log to the batch of the change. The condition is that of the change. `targetId` is the id of what
   * is changed; null: the account itself.
   */
  record: (batch: Batch, action: AuditAction, targetId: string | null, condition: Condition) => void;
}

export type Caller = Pick<RequestContext, "now" | "principal" | "country">;

/**
 * Holds while the session goes on, its confirmation of the identity has not been taken back since the request began, and the
 * person's role permits the change.
 */
function personMay(
  { accountId, sessionId, confirmedAt }: PersonPrincipal,
  permission: Permission | MemberPermission,
  now: number,
): Condition {
  return allOf(sessionActs(accountId, sessionId, rolesWith(permission), now), isConfirmedSince(sessionId, confirmedAt));
}

/** Prepares a change that needs the permission. */
export function prepareChange(
  { now, principal, country }: Caller,
  permission: Permission | MemberPermission,
): AccountChange {
  const { accountId } = principal;
  const actor =
    principal.type === "key"
      ? { type: "key" as const, id: principal.keyId }
      : { type: "user" as const, id: principal.user.id };
  return {
    accountId,
    now,
    isAllowed: principal.type === "key" ? ALWAYS : personMay(principal, permission, now),
    record: (batch, action, targetId, condition) => {
      const entry = { account: { id: accountId }, actor, action, targetId, country };
      addAuditEntry(batch, entry, now, condition);
    },
  };
}
