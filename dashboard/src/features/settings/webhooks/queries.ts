import { useQuery } from "@tanstack/react-query";
import type { Webhook } from "#src/webhooks/contract.ts";
import type { Delivery, DeliveryWithBodies } from "#src/webhooks/delivery-contract.ts";
import { call } from "#dashboard/api/client.ts";
import { queryClient, readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../queries.ts";

const PAGE_SIZE = 100;
const DELIVERIES_PER_PAGE = 25;
/** How often deliveries are read again while the page is visible. */
const REFRESH_MS = 4_000;

export type EventName = Webhook["events"][number];
export type WebhookFields = Pick<Webhook, "url" | "events" | "format" | "linkIds" | "tags">;

export function useWebhooks(): Listed<Webhook> {
  return useList<Webhook>(["webhooks"], "/api/webhooks", "webhooks", { query: { limit: PAGE_SIZE } });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: ["webhooks", id],
    queryFn: ({ signal }) => call<{ webhook: Webhook }>("GET", `/api/webhooks/${id}`, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export async function createWebhook(fields: WebhookFields): Promise<Webhook> {
  const { webhook } = await call<{ webhook: Webhook }>("POST", "/api/webhooks", { body: fields });
  await readAgain("webhooks", "usage");
  return webhook;
}

export async function updateWebhook(
  id: string,
  changes: Partial<WebhookFields & Pick<Webhook, "status">>,
): Promise<void> {
  const changed = await call<{ webhook: Webhook }>("PATCH", `/api/webhooks/${id}`, { body: changes });
  queryClient.setQueryData(["webhooks", id], changed);
  await readAgain("webhooks", "deliveries");
}

export async function deleteWebhook(id: string): Promise<void> {
  await call("DELETE", `/api/webhooks/${id}`);
}

/** Returns the webhook with its new secret. */
export async function rotateSecret(id: string): Promise<Webhook> {
  const { webhook } = await call<{ webhook: Webhook }>("POST", `/api/webhooks/${id}/rotate-secret`);
  await readAgain("webhooks");
  return webhook;
}

export interface PingResult {
  success: boolean;
  status: number;
  statusText?: string;
  /** As the delivery log has it. */
  delivery: DeliveryWithBodies | null;
}

/** Sends a test ping, and reads from the delivery log how long it took and what the receiver responded. */
export async function sendPing(id: string): Promise<PingResult> {
  const result = await call<Omit<PingResult, "delivery">>("POST", `/api/webhooks/${id}`);
  const { deliveries } = await call<{ deliveries: Delivery[] }>("GET", `/api/webhooks/${id}/deliveries`, {
    query: { event: "webhook.test", limit: 1 },
  });
  const [newest] = deliveries;
  const read = newest === undefined ? null : await readDelivery(id, newest.id);
  await readAgain("webhooks", "deliveries");
  return { ...result, delivery: read?.delivery ?? null };
}

export interface DeliveryFilter {
  status?: Delivery["status"] | undefined;
  event?: EventName | undefined;
}

export function useDeliveries(webhookId: string, filter: DeliveryFilter): Listed<Delivery> {
  return useList<Delivery>(["deliveries", webhookId], `/api/webhooks/${webhookId}/deliveries`, "deliveries", {
    query: { ...filter, limit: DELIVERIES_PER_PAGE },
    refreshMs: REFRESH_MS,
  });
}

const readDelivery = (webhookId: string, id: string, signal?: AbortSignal) =>
  call<{ delivery: DeliveryWithBodies }>("GET", `/api/webhooks/${webhookId}/deliveries/${id}`, {
    ...(signal !== undefined && { signal }),
  });

export function useDelivery(webhookId: string, id: string) {
  return useQuery({
    queryKey: ["deliveries", webhookId, "one", id],
    queryFn: ({ signal }) => readDelivery(webhookId, id, signal),
    refetchInterval: REFRESH_MS,
  });
}

export async function retryDelivery(webhookId: string, id: string): Promise<void> {
  await call("POST", `/api/webhooks/${webhookId}/deliveries/${id}/retry`);
  await readAgain("deliveries");
}

/** Sends failed deliveries again. Returns their number. */
export async function retryDeliveries(webhookId: string, since: number): Promise<number> {
  const path = `/api/webhooks/${webhookId}/deliveries/retry`;
  const { retried } = await call<{ retried: number }>("POST", path, { body: { since } });
  await readAgain("deliveries");
  return retried;
}
