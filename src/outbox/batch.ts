import type { ServiceContext } from "../context.ts";
import { Batch, type Result } from "../database/batch.ts";
import { sendWakeUps } from "./messages.ts";
import { outboxStatements, type EventIds, type EventSource } from "./statements.ts";

/**
 * A transaction that changes resources and writes the events that report the changes (transactional outbox). After the
 * commit it sends a wake-up for each recipient, without delaying the caller.
 */
export class OutboxBatch extends Batch {
  readonly #context: Pick<ServiceContext, "env" | "waitUntil">;
  readonly #recipients: Result<{ webhooks: string }>[] = [];

  constructor(context: Pick<ServiceContext, "env" | "waitUntil">) {
    super(context.env.DB);
    this.#context = context;
  }

  /**
   * Writes the events of `source` and their deliveries. Call it after the change; call it before a deletion, while the
   * rows exist. Without subscribers it writes nothing.
   */
  enqueue(source: EventSource, ids: EventIds): void {
    const [events, deliveries, recipients] = outboxStatements(source, ids);
    this.add(events.sql, events.values);
    this.add(deliveries.sql, deliveries.values);
    this.#recipients.push(this.add(recipients.sql, recipients.values));
  }

  override async commit(): Promise<void> {
    await super.commit();
    this.#sendWakeUps();
  }

  override async commitWithRetry(): Promise<void> {
    await super.commitWithRetry();
    this.#sendWakeUps();
  }

  #sendWakeUps(): void {
    const rows = this.#recipients.flatMap((result) => result.rows);
    const webhookIds = new Set(rows.flatMap(({ webhooks }) => JSON.parse(webhooks) as string[]));
    if (webhookIds.size > 0) this.#context.waitUntil(sendWakeUps(this.#context.env.DELIVERIES, [...webhookIds]));
  }
}
