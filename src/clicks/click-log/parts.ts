import { AlarmTime } from "./alarm-time.ts";
import { AnonymousLinks } from "./anonymous-links.ts";
import { Counters } from "./counters.ts";
import { Maintenance } from "./maintenance.ts";
import { PendingEvents } from "./pending-events.ts";
import { Salts } from "./salts.ts";
import { Subscriptions } from "./subscriptions.ts";
import { ClickWriter } from "./writer.ts";

/** What a ClickLog needs to write. */
export class Parts {
  readonly #storage: DurableObjectStorage;
  readonly alarm: AlarmTime;
  readonly anonymous: AnonymousLinks;
  readonly maintenance: Maintenance;
  readonly pending: PendingEvents;
  readonly subscriptions: Subscriptions;
  /** What the object remembers of its storage. */
  memory: ReturnType<typeof createMemory>;

  constructor(ctx: DurableObjectState) {
    const { storage } = ctx;
    this.#storage = storage;
    this.alarm = new AlarmTime(storage);
    this.anonymous = new AnonymousLinks(storage.kv);
    this.maintenance = new Maintenance(ctx);
    this.pending = new PendingEvents(storage.kv);
    this.subscriptions = new Subscriptions(storage.kv);
    this.memory = createMemory(storage);
  }

  /** Call this after a failed transaction. */
  renewMemory(): void {
    this.memory = createMemory(this.#storage);
  }
}

function createMemory({ sql, kv }: DurableObjectStorage) {
  return { salts: new Salts(kv), writer: new ClickWriter(sql), counters: new Counters({ sql, kv }) };
}
