import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../support/api.ts";
import { accountId, advance, key, service, START, startService } from "./support.ts";

beforeEach(startService);

const received = () => service.receivedEvents();
const link = (path: string, method = "GET", body?: unknown) => service.link(key, path, method, body);

describe("link.expired", () => {
  beforeEach(() => service.createWebhook(key, { events: ["link.expired"] }));

  const expired = (id: string) => [
    expect.objectContaining({ event: "link.expired", data: expect.objectContaining({ id, status: "expired" }) }),
  ];

  it("is emitted once by the cron for a link without visits", async () => {
    const made = await service.createLink(key, { expiresAt: START + 1_000 });
    await service.cron();
    expect(await received()).toEqual([]);
    advance(60_000);
    await service.cron();
    const [event] = await received();
    expect(event).toEqual({
      event: "link.expired",
      timestamp: START + 60_000,
      data: { ...(await link(`/api/links/${made.id}`)), reason: "expiresAt" },
    });
    for (let n = 0; n < 3; n++) {
      advance(60_000);
      await service.cron();
      await service.call("GET", "/api/links?status=expired", { key });
    }
    expect(await received()).toEqual([]);
  });

  it("is emitted by a list request that finds the link first, and then not by the cron", async () => {
    const { id } = await service.createLink(key, { expiresAt: START + 1_000 });
    advance(1_000);
    await service.call("GET", "/api/links?status=expired", { key });
    expect(await received()).toEqual(expired(id));
    await service.cron();
    expect(await received()).toEqual([]);
  });

  it("is emitted once after the last allowed visit, within a minute", async () => {
    const { id, slug } = await service.createLink(key, { maxClicks: 2 });
    for (let n = 0; n < 4; n++) await service.call("GET", `/${slug}`);
    expect((await link(`/api/links/${id}`)).status).toBe("expired");
    await service.cron();
    expect(await received()).toEqual(expired(id));
    await service.call("GET", `/${slug}`);
    await service.cron();
    expect(await received()).toEqual([]);
  });

  it("is emitted for a link that a PATCH expires, and for an expired link that is changed", async () => {
    const used = await service.createLink(key, { maxClicks: 5 });
    for (let n = 0; n < 2; n++) await service.call("GET", `/${used.slug}`);
    await link(`/api/links/${used.id}`, "PATCH", { maxClicks: 2 });
    await service.cron();
    expect(await received()).toEqual(expired(used.id));

    const overdue = await service.createLink(key, { expiresAt: START + 1_000 });
    advance(2_000);
    await link(`/api/links/${overdue.id}`, "PATCH", { title: "late" });
    await service.cron();
    expect(await received()).toEqual(expired(overdue.id));
  });

  it("is emitted for a link that is reactivated or deleted before the cron finds it expired", async () => {
    const prolonged = await service.createLink(key, { expiresAt: START + 1_000 });
    const raised = await service.createLink(key, { maxClicks: 1 });
    await service.call("GET", `/${raised.slug}`);
    const deleted = await service.createLink(key, { expiresAt: START + 1_000 });
    advance(2_000);
    await link(`/api/links/${prolonged.id}`, "PATCH", { expiresAt: START + 90_000 });
    expect(await received()).toEqual(expired(prolonged.id));
    await link(`/api/links/${raised.id}`, "PATCH", { maxClicks: 2 });
    expect(await received()).toEqual(expired(raised.id));
    await service.call("DELETE", `/api/links/${deleted.id}`, { key });
    expect(await received()).toEqual(expired(deleted.id));
    await service.cron();
    expect(await received()).toEqual([]);
  });

  it("is emitted again for a link that was reactivated and expires again", async () => {
    const { id } = await service.createLink(key, { expiresAt: START + 1_000 });
    advance(1_000);
    await service.cron();
    expect(await received()).toEqual(expired(id));
    await link(`/api/links/${id}`, "PATCH", { expiresAt: START + 5_000 });
    await service.cron();
    expect(await received()).toEqual([]);
    advance(5_000);
    await service.cron();
    expect(await received()).toEqual(expired(id));
  });

  it("reaches the webhooks of each account, also when the links need several statements", async () => {
    const other = await createAccount();
    await service.createWebhook(other.key, { url: "https://other.receiver.dev/", events: ["link.expired"] });
    const insert = (account: number, links: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
         INSERT INTO links (seq, id, account_id, domain, slug, url, status, expires_at, redirect_status, created_at, updated_at)
         SELECT (?1 << 16 | n) << 21, printf('%08x-%04x-7000-8000-000000000000', ?1, n), ?1, '', 's' || ?1 || '-' || n, 'https://e.com/',
           'active', n, 302, 0, 0 FROM n`,
      )
        .bind(account, links)
        .run();
    await insert(accountId, 700);
    await insert(other.accountId, 3);
    await service.cron();
    const perAccount = await env.DB.prepare(
      "SELECT count(*) AS n FROM deliveries GROUP BY webhook_id ORDER BY n",
    ).all();
    expect(perAccount.results).toEqual([{ n: 3 }, { n: 700 }]);
  });
});
