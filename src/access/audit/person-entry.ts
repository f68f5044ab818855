import type { CallContext } from "../../platform/context.ts";
import type { Batch } from "../../platform/database/batch.ts";
import type { Condition } from "../../platform/database/parameters.ts";
import { addAuditEntry, type NewAuditEntry } from "./store/entries.ts";

type PersonEntry = Pick<NewAuditEntry, "action" | "targetId"> &
  Partial<Pick<NewAuditEntry, "account" | "before" | "after">>;

/** Adds an entry of what a person does to its batch, by default to the audit log of the person's own account. */
export function addPersonEntry(
  batch: Batch,
  { now, country }: Pick<CallContext, "now" | "country">,
  userId: string,
  { account = { personalOf: userId }, ...change }: PersonEntry,
  condition?: Condition,
): void {
  addAuditEntry(batch, { account, actor: { type: "user", id: userId }, ...change, country }, now, condition);
}
