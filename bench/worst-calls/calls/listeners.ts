import { MAX_LISTENER_BYTES } from "../../../src/limits.ts";
import { ALL_LINK_EVENTS, type FilledAccount } from "../account.ts";
import { NOW } from "../../instrumented/year.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import { MAX_POLL_BYTES } from "../../../src/listeners/limits.ts";

const BODY_CHARS = 49_000;

/** Makes a new listener, the only one of the account. Returns its id. */
async function createListener(account: FilledAccount): Promise<string> {
  const remove = account.server.db.prepare("DELETE FROM webhooks WHERE account_id = ?1 AND listener_slot IS NOT NULL");
  await remove.bind(account.accountId).run();
  const body = JSON.stringify({ events: ALL_LINK_EVENTS });
  const { listener } = await account.ask<{ listener: { id: string } }>({
    method: "POST",
    path: "/api/listeners",
    body,
  });
  return listener.id;
}

/** Makes a new listener with as many events as it can keep. */
async function createFullListener(account: FilledAccount): Promise<string> {
  const id = await createListener(account);
  await account.server.db
    .prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
       INSERT INTO listener_events (listener_id, end_offset, event_id, type, body, arrived_at)
       SELECT ?1, n * ?4, 'event-' || n, 'link.create', ?2, ?5 FROM n`,
    )
    .bind(id, randomText(BODY_CHARS), Math.floor(MAX_LISTENER_BYTES / (BODY_CHARS + 1_000)), BODY_CHARS + 1_000, NOW)
    .run();
  return id;
}

export const listenerCalls = {
  "POST /api/listeners": [
    {
      what: "all events of links",
      prepare: async (account) => {
        const path = `/api/listeners/${await createListener(account)}`;
        await account.ask({ method: "DELETE", path });
        return { method: "POST", path: "/api/listeners", body: JSON.stringify({ events: ALL_LINK_EVENTS }) };
      },
      isScarce: true,
    },
  ],
  "GET /api/listeners": [
    {
      what: "a listener",
      prepare: async (account) => {
        await createListener(account);
        return { method: "GET", path: "/api/listeners" };
      },
      isScarce: true,
    },
  ],
  "GET /api/listeners/:id/events": [
    {
      what: `${MAX_POLL_BYTES / 1_000_000} MB of events, of ${MAX_LISTENER_BYTES / 1_000_000} MB that are kept`,
      prepare: async (account) => ({
        method: "GET",
        path: `/api/listeners/${await createFullListener(account)}/events`,
      }),
      isScarce: true,
    },
  ],
  "DELETE /api/listeners/:id": [
    {
      what: `a listener that keeps ${MAX_LISTENER_BYTES / 1_000_000} MB`,
      prepare: async (account) => ({ method: "DELETE", path: `/api/listeners/${await createFullListener(account)}` }),
      isScarce: true,
    },
  ],
} satisfies Record<string, WorstCall[]>;
