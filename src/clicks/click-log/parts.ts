import { AlarmTime } from "./alarm-time.ts";
import { Maintenance } from "./maintenance.ts";
import { PendingEvents } from "./pending-events.ts";
import { Subscriptions } from "./subscriptions.ts";

export type Parts = ReturnType<typeof createParts>;

/** What a ClickLog needs to write. */
export function createParts(ctx: DurableObjectState) {
  const { storage } = ctx;
  return {
    alarm: new AlarmTime(storage),
    maintenance: new Maintenance(ctx),
    pending: new PendingEvents(storage.kv),
    subscriptions: new Subscriptions(storage.kv),
  };
}
