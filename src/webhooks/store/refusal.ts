import type { Batch, Result } from "../../platform/database/batch.ts";
import { allOf, Parameters, type Condition } from "../../platform/database/parameters.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import { IS_WEBHOOK } from "./row.ts";

/** What keeps a caller from changing a webhook. The same conditions are in the statements of the change. */

/** The person has lost the role that permits the change. */
export interface Demotion {
  outcome: "demoted";
}

/** Why a webhook was left as it is. */
export type Refusal =
  | { outcome: "not_found" }
  | { outcome: "forbidden" }
  | Demotion
  /** The webhook sends these of the excluded events. */
  | { outcome: "excluded"; events: EventType[] };

/** Holds while the account has the webhook. */
export function isWebhookOf(accountId: number, id: string): Condition {
  return (parameters) =>
    `EXISTS (SELECT 1 FROM webhooks WHERE id = ${parameters.add(id)} AND account_id = ${parameters.add(accountId)} AND ${IS_WEBHOOK})`;
}

/** SQL for whether a webhook sends events of the type `x.value`: it subscribes to them, or did so and some are pending. */
export const SENDS = `(instr(webhooks.events, '"' || x.value || '"') > 0 OR EXISTS (
  SELECT 1 FROM deliveries d INDEXED BY deliveries_by_status
  WHERE d.status IN ('pending', 'sending') AND d.webhook_id = webhooks.id AND d.type = x.value))`;

/** Holds if the account has the webhook, and it sends none of the events. */
export function sendsNone(accountId: number, id: string, events: readonly EventType[]): Condition {
  return allOf(
    isWebhookOf(accountId, id),
    (parameters) =>
      `NOT EXISTS (SELECT 1 FROM webhooks, json_each(${parameters.add(JSON.stringify(events))}) x
         WHERE webhooks.id = ${parameters.add(id)} AND ${SENDS})`,
  );
}

interface Owner {
  account_id: number;
  is_allowed: 0 | 1;
  /** JSON array: the excluded events that the webhook sends. */
  excluded: string;
}

/** Reads what {@link toRefusal} needs. Call it before the change. */
export function readOwner(
  batch: Batch,
  id: string,
  isAllowed: Condition,
  excluded: readonly EventType[] = [],
): Result<Owner> {
  const parameters = new Parameters([id, JSON.stringify(excluded)]);
  return batch.add(
    `SELECT account_id, ${isAllowed(parameters)} AS is_allowed,
       (SELECT json_group_array(x.value) FROM json_each(?2) x WHERE ${SENDS}) AS excluded
     FROM webhooks WHERE id = ?1 AND ${IS_WEBHOOK}`,
    parameters.values,
  );
}

/** Returns why the caller may not change the webhook; null: the caller may. */
export function toRefusal(owner: Owner | undefined, accountId: number): Refusal | null {
  if (owner === undefined) return { outcome: "not_found" };
  if (owner.account_id !== accountId) return { outcome: "forbidden" };
  if (owner.is_allowed === 0) return { outcome: "demoted" };
  const events = JSON.parse(owner.excluded) as EventType[];
  return events.length > 0 ? { outcome: "excluded", events } : null;
}
