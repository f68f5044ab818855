import type { RequestContext } from "../context.ts";
import type { Batch } from "../database/batch.ts";
import type { Condition } from "../database/parameters.ts";
import { addAuditEntry, type AuditAction } from "./store.ts";

/** A change of an account by a caller, as its batch records it. */
export interface AccountChange {
  accountId: number;
  /** Unix milliseconds. */
  now: number;
  /**
   * Adds an entry to the audit log to the batch of the change. The condition is that of the change. `targetId` is the id of what
   * is changed; null: the account itself.
   */
  record: (batch: Batch, action: AuditAction, targetId: string | null, condition: Condition) => void;
}

export type Caller = Pick<RequestContext, "now" | "principal" | "country">;

/** Prepares a change by the caller. */
export function prepareChange({ now, principal, country }: Caller): AccountChange {
  const { accountId } = principal;
  const actor =
    principal.type === "key"
      ? { type: "key" as const, id: principal.keyId }
      : { type: "user" as const, id: principal.user.id };
  return {
    accountId,
    now,
    record: (batch, action, targetId, condition) => {
      const entry = { account: { id: accountId }, actor, action, targetId, country };
      addAuditEntry(batch, entry, now, condition);
    },
  };
}
