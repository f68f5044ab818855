import type { MemberPermission, Permission } from "../../platform/auth/permissions.ts";
import { rolesWith } from "../../platform/auth/roles.ts";
import type { Batch } from "../../platform/database/batch.ts";
import { allOf, type Condition } from "../../platform/database/parameters.ts";
import { addAuditEntry } from "./store/entries.ts";
import type { TargetState } from "./store/target-state.ts";
import type { AuditAction } from "./actions.ts";
import { starterOf } from "../../platform/auth/still-allowed.ts";
import { appActs, isConfirmedSince, keyAllows, sessionActs } from "../../platform/auth/store/conditions.ts";
import type { PersonPrincipal, Principal, RequestContext } from "../../platform/auth/principal.ts";

/** A change of an account by a caller, as its batch guards and records it. */
export interface AccountChange {
  accountId: number;
  /** Unix milliseconds. */
  now: number;
  /** Who makes it: one of them is an id. */
  creator: { key: string | null; user: string | null };
  /**
   * Holds while the caller may make it: another request may have ended the session, changed the role, or revoked the key.
   */
  isAllowed: Condition;
  /**
   * Adds an entry to the audit log to the batch of the change. The condition is that of the change. `targetId` is the id of what
   * is changed; null: the account itself. `after` is what the change makes of it, and `before` what it was, where that is kept.
   */
  record: (
    batch: Batch,
    action: AuditAction,
    targetId: string | null,
    condition: Condition,
    after?: TargetState,
    before?: TargetState,
  ) => void;
}

export type Caller = Pick<RequestContext, "now" | "principal" | "country">;

/**
 * Holds while the session is valid and still confirmed, and the role permits the change.
 */
function personMay(
  { accountId, sessionId, confirmedAt }: PersonPrincipal,
  permission: Permission | MemberPermission,
  now: number,
): Condition {
  return allOf(sessionActs(accountId, sessionId, rolesWith(permission), now), isConfirmedSince(sessionId, confirmedAt));
}

function callerMay(principal: Principal, permission: Permission | MemberPermission, now: number): Condition {
  const { accountId } = principal;
  if (principal.type === "key") return keyAllows(accountId, principal.keyId, [permission as Permission], now);
  if (principal.type === "person") return personMay(principal, permission, now);
  return appActs(accountId, principal.grantId, [permission], now);
}

/** Prepares a change that needs the permission. */
export function prepareChange(
  { now, principal, country }: Caller,
  permission: Permission | MemberPermission,
): AccountChange {
  const { accountId } = principal;
  const actor = starterOf(principal);
  const { type, id } = actor;
  return {
    accountId,
    now,
    creator: { key: type === "key" ? id : null, user: type === "user" ? id : null },
    isAllowed: callerMay(principal, permission, now),
    record: (batch, action, targetId, condition, after, before) => {
      const entry = {
        account: { id: accountId },
        actor,
        action,
        targetId,
        country,
        ...(after && { after }),
        ...(before && { before }),
      };
      addAuditEntry(batch, entry, now, condition);
    },
  };
}
