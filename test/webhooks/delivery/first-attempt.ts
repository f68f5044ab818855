import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { internet, key, service } from "../support.ts";

export const HOST = "hooks.receiver.dev";

/** Creates a link as any caller does. Its wake-up is in the queue then. */
export async function commit(): Promise<void> {
  const response = await service.call("POST", "/api/links", { key, body: { url: "https://example.com/" } });
  expect(response.status).toBe(201);
}

/** The same. Resolves when nothing is left to do of what is in the queue. */
export async function create(): Promise<void> {
  await commit();
  await service.deliver();
}

/** The wake-ups in the queue. */
export const wakeUps = () => service.messages.map(({ body }) => body);

/** The connections in use. */
export const countSending = () =>
  env.DB.prepare("SELECT count(*) AS n FROM deliveries WHERE status = 'sending'").first("n");

export const receivedIds = async () => (await internet.received()).map(({ headers }) => headers["webhook-id"]);

export const statuses = async (id: string) => (await service.listDeliveries(key, id)).map(({ status }) => status);

/** Waits until so many attempts have arrived, and looks whether more do. */
export async function arrivals(count: number): Promise<number> {
  await until(async () => (await internet.received()).length >= count);
  return (await internet.received()).length;
}
