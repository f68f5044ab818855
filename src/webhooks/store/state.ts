import type { Batch, Result } from "../../platform/database/batch.ts";
import { AT_HOST, DUE_DELIVERIES, maySend, RESUME_AT, waits } from "../../platform/outbox/connections.ts";
import type { Webhook } from "../contract.ts";
import { TARGET_COLUMNS, type TargetRow } from "./row.ts";

/** A webhook as its sender sees it. */
export interface WebhookState {
  target: TargetRow;
  status: Webhook["status"];
  disabledAt: number | null;
  /** No attempt is made before this time. */
  resumeAt: number | null;
  /** Whether it is a listener, which keeps its events for polls and has no URL. */
  isListener: boolean;
}

/** SQL for the columns of the webhook `w`. */
export const STATE_COLUMNS = `${TARGET_COLUMNS.map((column) => `w.${column}`).join(", ")}, w.status, w.disabled_at,
  w.listener_slot IS NOT NULL AS is_listener, ${RESUME_AT} AS resume_at`;

export interface StateRow extends TargetRow {
  status: Webhook["status"];
  disabled_at: number | null;
  resume_at: number | null;
  is_listener: 0 | 1;
}

export function toState(row: StateRow): WebhookState {
  const { status, disabled_at: disabledAt, resume_at: resumeAt } = row;
  return { target: row, status, disabledAt, resumeAt, isListener: row.is_listener === 1 };
}

/** Adds a statement that reads a webhook. The returned function returns null if it was deleted. */
export function readWebhook(batch: Batch, webhookId: string): () => WebhookState | null {
  const webhook = batch.add<StateRow>(`SELECT ${STATE_COLUMNS} FROM webhooks w WHERE w.id = ?1`, [webhookId]);
  return () => (webhook.first === undefined ? null : toState(webhook.first));
}

/** Whether attempts are allowed at `now`. */
export function isSentTo({ status, resumeAt }: WebhookState, now: number): boolean {
  return status === "active" && (resumeAt ?? 0) <= now;
}

/** A request for a turn. */
export interface Claim {
  /** The webhook of the sender's last turn, or the one that it starts with. */
  webhookId: string;
  /** Whether the sender starts: then the webhook itself is next, else the one that follows in the order of ids. */
  isStart: boolean;
  /** The lease of the turn. A new one for each claim. */
  lease: string;
  expiresAt: number;
  now: number;
  /** The connections that the sender may use; 0: it takes no turn. */
  connections: number;
}

/** When a webhook with failures may be sent to again. */
export interface Backoff {
  status: Webhook["status"];
  /** No attempt is made before this time, because the circuit breaker is open. */
  resumeAt: number | null;
  /** When the first pending delivery is due; null: none is pending. */
  nextDueAt: number | null;
}

/** Adds a statement that reads the backoff of a webhook. The result is empty if the webhook was deleted. */
export function readBackoff(batch: Batch, webhookId: string): Result<Backoff> {
  return batch.add(
    `SELECT w.status, ${RESUME_AT} AS resumeAt,
       (SELECT min(due_at) FROM ${DUE_DELIVERIES} WHERE webhook_id = ?1 AND status = 'pending') AS nextDueAt
     FROM webhooks w WHERE w.id = ?1`,
    [webhookId],
  );
}

/** Selects the other webhooks at the host that wait for its connections. */
export function listWaitingBeside(batch: Batch, webhookId: string, now: number): Result<{ id: string }> {
  return batch.add(
    `SELECT w.id FROM ${AT_HOST} WHERE m.id = ?1 AND w.id <> ?1 AND ${maySend("?2")} AND ${waits("?2")}`,
    [webhookId, now],
  );
}

/** What a webhook leaves behind that leaves its host. */
export interface LeftHost {
  /** The account's other webhooks there that waited for connections. No sender of this webhook takes a turn there any more. */
  waitingIds: string[];
}
