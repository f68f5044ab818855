import { MAX_PAGE_SIZE_ITEMS, MAX_TITLE_CHARS } from "../../../src/limits.ts";
import { ALL_LINK_EVENTS, largestFilters, type FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import { get, type WorstCall } from "./call.ts";

const first = ({ webhooks }: FilledAccount) => webhooks[0] ?? "";
const settings = ({ heavyLinks }: FilledAccount) => ({
  url: `https://hooks.tern-receiver.com/hooks/${randomText(1_900)}`,
  events: ALL_LINK_EVENTS,
  ...largestFilters(heavyLinks),
});

async function createWebhook(account: FilledAccount): Promise<string> {
  await deleteExtra(account);
  const body = JSON.stringify(settings(account));
  const { webhook } = await account.ask<{ webhook: { id: string } }>({ method: "POST", path: "/api/webhooks", body });
  return webhook.id;
}

/** Makes room for another webhook. */
async function deleteExtra({ ask, webhooks }: FilledAccount): Promise<void> {
  const page = await ask<{ webhooks: { id: string }[] }>({ method: "GET", path: "/api/webhooks" });
  for (const { id } of page.webhooks)
    if (!webhooks.includes(id)) await ask({ method: "DELETE", path: `/api/webhooks/${id}` });
}

/** Makes all deliveries of the first webhook failed ones; returns the id of one. */
async function failDeliveries(account: FilledAccount): Promise<string> {
  const { db } = account.server;
  const set = "UPDATE deliveries SET status = 'failed', due_at = NULL, lease = NULL WHERE webhook_id = ?1";
  await db.prepare(set).bind(first(account)).run();
  const find = db.prepare("SELECT min(event_id) AS id FROM deliveries WHERE webhook_id = ?1").bind(first(account));
  return (await find.first<string>("id")) ?? "";
}

/** The id of the first webhook's delivery with the largest body. */
async function findLargestDelivery(account: FilledAccount): Promise<string> {
  await account.ask({
    method: "PATCH",
    path: `/api/links/${account.heavyLinks[0]}`,
    body: JSON.stringify({ title: randomText(MAX_TITLE_CHARS) }),
  });
  await account.server.control();
  const find = account.server.db.prepare(
    `SELECT d.event_id AS id FROM deliveries d LEFT JOIN event_bodies b ON b.event_id = d.event_id
     WHERE d.webhook_id = ?1 ORDER BY octet_length(coalesce(d.body, b.body)) DESC LIMIT 1`,
  );
  return (await find.bind(first(account)).first<string>("id")) ?? "";
}

/** Makes room for another secret. */
async function removeOldSecrets(account: FilledAccount): Promise<void> {
  const remove = account.server.db.prepare("UPDATE webhooks SET old_secrets = '[]' WHERE id = ?1");
  await remove.bind(first(account)).run();
}

export const webhookCalls = {
  "GET /api/webhooks": [get("ten webhooks", () => "/api/webhooks?limit=100")],
  "GET /api/webhooks/:id": [get("a webhook with the longest filters", (account) => `/api/webhooks/${first(account)}`)],
  "POST /api/webhooks": [
    {
      what: "the longest URL and filters",
      prepare: async (account) => {
        await deleteExtra(account);
        return { method: "POST", path: "/api/webhooks", body: JSON.stringify(settings(account)) };
      },
      isScarce: true,
    },
  ],
  "PATCH /api/webhooks/:id": [
    {
      what: "the longest filters, and `active`",
      prepare: (account) => ({
        method: "PATCH",
        path: `/api/webhooks/${first(account)}`,
        body: JSON.stringify({ ...largestFilters(account.heavyLinks), status: "active" }),
      }),
    },
  ],
  "DELETE /api/webhooks/:id": [
    {
      what: "a webhook with the longest filters",
      prepare: async (account) => ({ method: "DELETE", path: `/api/webhooks/${await createWebhook(account)}` }),
      isScarce: true,
    },
  ],
  "POST /api/webhooks/:id": [
    { what: "a test ping", prepare: (account) => ({ method: "POST", path: `/api/webhooks/${first(account)}` }) },
  ],
  "GET /api/webhooks/:id/deliveries": [
    get(
      "a page of 100, of 1,000 deliveries",
      (account) => `/api/webhooks/${first(account)}/deliveries?limit=${MAX_PAGE_SIZE_ITEMS}&page=9`,
    ),
  ],
  "GET /api/webhooks/:id/deliveries/:deliveryId": [
    {
      what: "an event with a link of 50 KB",
      prepare: async (account) => ({
        method: "GET",
        path: `/api/webhooks/${first(account)}/deliveries/${await findLargestDelivery(account)}`,
      }),
    },
  ],
  "POST /api/webhooks/:id/deliveries/retry": [
    {
      what: "1,000 failed deliveries, which are then sent",
      prepare: async (account) => {
        await failDeliveries(account);
        return { method: "POST", path: `/api/webhooks/${first(account)}/deliveries/retry`, body: '{"since":0}' };
      },
      isScarce: true,
    },
  ],
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": [
    {
      what: "a failed delivery, which is then sent",
      prepare: async (account) => ({
        method: "POST",
        path: `/api/webhooks/${first(account)}/deliveries/${await failDeliveries(account)}/retry`,
      }),
    },
  ],
  "POST /api/webhooks/:id/rotate-secret": [
    {
      what: "a webhook with the longest filters",
      prepare: async (account) => {
        await removeOldSecrets(account);
        return { method: "POST", path: `/api/webhooks/${first(account)}/rotate-secret` };
      },
      isScarce: true,
    },
  ],
} satisfies Record<string, WorstCall[]>;
