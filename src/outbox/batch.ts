import type { ServiceContext } from "../context.ts";
import { Batch, type Result } from "../database/batch.ts";
import { compressBodies } from "./compress-bodies.ts";
import { trimLogs } from "./trim-delivery-log.ts";
import { sendWakeUps } from "./messages.ts";
import { outboxStatements, type EventIds, type EventSource, type WrittenEvent } from "./statements.ts";

/**
 * A transaction that changes resources and writes the events that report the changes (transactional outbox). After the
 * commit it sends a wake-up for each recipient, compresses large bodies and trims the delivery logs of recipients that exceed a
 * limit, without delaying the caller.
 */
export class OutboxBatch extends Batch {
  readonly #context: Pick<ServiceContext, "env" | "waitUntil" | "now">;
  readonly #written: Result<WrittenEvent>[] = [];

  constructor(context: Pick<ServiceContext, "env" | "waitUntil" | "now">) {
    super(context.env.DB);
    this.#context = context;
  }

  /**
   * Writes the events of `source` and their deliveries. Call it after the change; call it before a deletion, while the
   * rows exist. Without subscribers it writes nothing.
   */
  enqueue(source: EventSource, ids: EventIds): void {
    const [bodies, deliveries, written] = outboxStatements(source, ids);
    this.add(bodies.sql, bodies.values);
    this.add(deliveries.sql, deliveries.values);
    this.#written.push(this.add(written.sql, written.values));
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
    const { env, waitUntil, now } = this.#context;
    const recipients = new Set(events.flatMap(({ webhooks }) => JSON.parse(webhooks) as string[]));
    const exceeded = new Set(events.flatMap(({ exceeded }) => JSON.parse(exceeded) as string[]));
    waitUntil(sendWakeUps(env.DELIVERIES, [...recipients]));
    // In this order: what fits when it is compressed is not dropped.
    waitUntil(compressBodies(env.DB, events).then(() => trimLogs(env.DB, [...exceeded], now)));
  }
}
