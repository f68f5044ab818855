import type { ServiceContext } from "../context.ts";
import { Batch, type Result } from "../database/batch.ts";
import { compressBodies } from "./compress-bodies.ts";
import { trimLogs } from "./trim-delivery-log.ts";
import { DELIVERY_LEASE_MS } from "./limits.ts";
import { sendAll, type WakeUp } from "./messages.ts";
import { outboxStatements, type EventIds, type EventSource, type FirstLease, type WrittenEvent } from "./statements.ts";

type OutboxContext = Pick<ServiceContext, "env" | "db" | "waitUntil">;

/**
 * A transaction that changes resources and writes the events that report the changes (transactional outbox). After the commit,
 * without delaying the caller, it sends wake-ups for the recipients, compresses large bodies and trims the delivery logs of
 * recipients that exceed a limit.
 */
export class OutboxBatch extends Batch {
  readonly #context: OutboxContext;
  /** The lease of the deliveries that it stores as leased for their wake-ups. */
  readonly #lease = crypto.randomUUID();
  readonly #written: Result<WrittenEvent>[] = [];

  constructor(context: OutboxContext) {
    super(context.db);
    this.#context = context;
  }

  /**
   * Writes the events of `source` and their deliveries. Call it after the change; call it before a deletion, while the
   * rows exist. Without subscribers it writes nothing.
   */
  enqueue(source: EventSource, ids: EventIds): void {
    const [bodies, deliveries, written] = outboxStatements(source, ids, this.#firstLease(ids));
    this.add(bodies.sql, bodies.values);
    this.add(deliveries.sql, deliveries.values);
    this.#written.push(this.add(written.sql, written.values));
  }

  /** The events of a bulk change are leased by the consumers of their wake-ups. */
  #firstLease(ids: EventIds): FirstLease | null {
    if (typeof ids !== "string") return null;
    const now = Date.now();
    return { lease: this.#lease, now, expiresAt: now + DELIVERY_LEASE_MS };
  }

  override async commit(): Promise<void> {
    await super.commit();
    this.#finish();
  }

  override async commitWithRetry(): Promise<void> {
    await super.commitWithRetry();
    this.#finish();
  }

  #finish(): void {
    const events = this.#written.flatMap((result) => result.rows);
    if (events.length === 0) return;
    const { env, db, waitUntil } = this.#context;
    const wakeUps: WakeUp[] = [];
    const recipients = new Set<string>();
    for (const { id, webhooks, first } of events)
      if (first === null) for (const webhookId of JSON.parse(webhooks) as string[]) recipients.add(webhookId);
      else wakeUps.push({ webhookId: first, leased: { eventId: id, lease: this.#lease } });
    for (const webhookId of recipients) wakeUps.push({ webhookId });
    const exceeded = new Set(events.flatMap(({ exceeded }) => JSON.parse(exceeded) as string[]));
    waitUntil(sendAll(env, wakeUps));
    // In this order: what fits when it is compressed is not dropped.
    waitUntil(compressBodies(db, events).then(() => trimLogs(db, [...exceeded])));
  }
}
