import { beforeEach, describe, expect, it, vi } from "vitest";
import { buildRequest, jsonOf, send } from "../../support/api.ts";
import { internet, key, service, START, startService } from "../support.ts";

let id: string;
beforeEach(async () => {
  await startService();
  ({ id } = await service.createWebhook(key));
});

const HOST = "hooks.receiver.dev";

async function ping(): Promise<unknown> {
  const response = await service.call("POST", `/api/webhooks/${id}`, { key });
  expect(response.status).toBe(200);
  return jsonOf(response);
}

describe("the test ping (4.1)", () => {
  it("sends webhook.test and returns the receiver's status", async () => {
    await internet.answers({ [HOST]: { status: 202 } });
    expect(await ping()).toEqual({ success: true, status: 202 });
    const [got] = await internet.received();
    expect(JSON.parse(got?.body ?? "")).toEqual({ event: "webhook.test", timestamp: START, data: { webhookId: id } });
    expect(got?.headers["x-service-event"]).toBe("webhook.test");
    expect(await service.getWebhook(key, id)).toMatchObject({ lastTriggeredAt: START, failureCount: 0 });
  });

  it.each([
    [{ status: 500 }, { status: 500, statusText: "Internal Server Error" }],
    [
      { status: 301, headers: { Location: "http://127.0.0.1/" } },
      { status: 301, statusText: "Moved Permanently" },
    ],
    [{ fails: true }, { status: 0, statusText: "connection failed" }],
  ])("responds 200 to a failure as well: %j", async (answer, expected) => {
    await internet.answers({ [HOST]: answer });
    expect(await ping()).toEqual({ success: false, ...expected });
  });

  it("reports an address that is blocked by now", async () => {
    await internet.addresses({ [HOST]: ["127.0.0.1"] });
    expect(await ping()).toEqual({ success: false, status: 0, statusText: "blocked address" });
    expect(await internet.received()).toEqual([]);
  });

  it("reports a receiver that takes more than 10 seconds", async () => {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(controller.signal);
    await internet.answers({ [HOST]: { hangs: true } });
    const pinged = ping();
    await vi.waitFor(async () => expect(await internet.received()).toHaveLength(1), 4_000);
    expect(timeout).toHaveBeenCalledWith(10_000);
    controller.abort();
    expect(await pinged).toEqual({ success: false, status: 0, statusText: "timeout" });
  });

  it("counts as a delivery and is not retried", async () => {
    await internet.answers({ [HOST]: { status: 500 } });
    for (let n = 1; n <= 6; n++) {
      await ping();
      expect((await service.getWebhook(key, id)).failureCount).toBe(n);
    }
    const { deliveries } = await jsonOf<{ deliveries: unknown[] }>(
      await service.call("GET", `/api/webhooks/${id}/deliveries?limit=1`, { key }),
    );
    expect(deliveries).toMatchObject([
      { event: "webhook.test", status: "failed", nextAttemptAt: null, attempts: [{ status: 500 }] },
    ]);
    expect(service.messages).toEqual([]);
    await service.cron();
    expect(service.messages).toEqual([]);
  });

  it("is sent to an inactive webhook as well and does not activate it", async () => {
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "inactive" } });
    expect(await ping()).toEqual({ success: true, status: 200 });
    expect((await service.getWebhook(key, id)).status).toBe("inactive");
  });

  it("disables the webhook at the twentieth failure, or at a 410 response", async () => {
    await internet.answers({ [HOST]: { status: 500 } });
    for (let n = 0; n < 20; n++) await ping();
    expect(await service.getWebhook(key, id)).toMatchObject({ status: "inactive", disabledReason: "failures" });
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "active" } });
    await internet.answers({ [HOST]: { status: 410 } });
    await ping();
    expect(await service.getWebhook(key, id)).toMatchObject({ status: "inactive", disabledReason: "gone" });
  });

  it("closes the circuit when it succeeds, so pending deliveries are sent", async () => {
    await internet.answers({ [HOST]: { status: 500 } });
    for (let n = 0; n < 6; n++) await service.createLink(key);
    await service.deliver();
    await internet.answers({ [HOST]: { status: 200 } });
    await ping();
    await service.deliver();
    expect((await service.getWebhook(key, id)).failureCount).toBe(0);
  });

  it("is refused with 503 when the rate limiter fails", async () => {
    const RATE_LIMITER = { getByName: () => ({ take: () => Promise.reject(new Error("down")) }) };
    const request = buildRequest("POST", `/api/webhooks/${id}`, { key });
    const response = await send(request, { RATE_LIMITER: RATE_LIMITER as unknown as Env["RATE_LIMITER"] });
    expect(response.status).toBe(503);
    expect(await internet.received()).toEqual([]);
  });
});
