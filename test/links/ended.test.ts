import { describe, expect, it, vi } from "vitest";
import { call } from "../support/api.ts";
import { newService } from "../webhooks/support.ts";
import { bulk, twoAccounts, update, URL_OK } from "./support.ts";

const { mine, create, api } = twoAccounts();

const HOUR_MS = 3_600_000;
const list = async (query: string) => (await api("GET", `/api/links?${query}`)).links.map(({ slug }) => slug);
const get = async (id: string) => (await api("GET", `/api/links/${id}`)).link;

describe("a disabled link", () => {
  it("ends with a 410 or at its expiredUrl, and redirects again when it is enabled", async () => {
    const { link } = await create({ slug: "off" });
    expect((await call("GET", "/off")).status).toBe(302);
    expect((await update(mine.key, link.id, { disabled: true })).link).toMatchObject({
      disabled: true,
      status: "disabled",
    });
    expect((await call("GET", "/off")).status).toBe(410);
    await update(mine.key, link.id, { expiredUrl: `${URL_OK}over` });
    expect((await call("GET", "/off")).headers.get("Location")).toBe(`${URL_OK}over`);
    expect((await update(mine.key, link.id, { disabled: false })).link.status).toBe("active");
    expect((await call("GET", "/off")).headers.get("Location")).toBe(URL_OK);
  });

  it("can be created, and uses none of its visits", async () => {
    await create({ slug: "later", disabled: true, maxClicks: 1, redirectStatus: 301 });
    for (let visit = 0; visit < 2; visit++) {
      const response = await call("GET", "/later");
      expect([response.status, response.headers.get("Cache-Control")]).toEqual([410, "no-store"]);
    }
    const [link] = (await api("GET", "/api/links?status=disabled")).links;
    await update(mine.key, link?.id ?? "", { disabled: false });
    expect((await call("GET", "/later")).status).toBe(301);
    expect((await call("GET", "/later")).status).toBe(410);
  });

  it("is listed as disabled, also if it has expired", async () => {
    await create({ slug: "on" });
    await create({ slug: "off", disabled: true });
    await create({ slug: "both", disabled: true, expiresAt: Date.now() - HOUR_MS, tags: ["t"] });
    await create({ slug: "over", expiresAt: Date.now() - HOUR_MS });
    expect(await list("status=active")).toEqual(["on"]);
    expect(await list("status=expired")).toEqual(["over"]);
    expect(await list("status=disabled")).toEqual(["both", "off"]);
    expect(await list("status=disabled&tag=t")).toEqual(["both"]);
    expect(await list("status=expired&tag=t")).toEqual([]);
  });

  it("expires when its time passes, and reports that once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const service = await newService();
    await service.createWebhook(mine.key, { events: ["link.expired", "link.update"] });
    const { link } = await create({ slug: "off", expiresAt: Date.now() + HOUR_MS });
    const patch = (body: object) => service.call("PATCH", `/api/links/${link.id}`, { key: mine.key, body });
    await patch({ disabled: true });
    vi.setSystemTime(Date.now() + HOUR_MS);
    await service.cron();
    expect(await service.receivedEvents()).toMatchObject([
      { event: "link.update" },
      { event: "link.expired", data: { id: link.id, status: "disabled", reason: "expiresAt" } },
    ]);
    expect((await get(link.id)).status).toBe("disabled");
    await patch({ disabled: false });
    expect((await get(link.id)).status).toBe("expired");
    await service.cron();
    await patch({ disabled: true });
    await patch({ disabled: false });
    await service.cron();
    const events = await service.receivedEvents<{ event: string }>();
    expect(events.map(({ event }) => event)).toEqual(["link.update", "link.update", "link.update"]);
  });
});

it("reports that its visits are used up as the reason why a link ended", async () => {
  const service = await newService();
  await service.createWebhook(mine.key, { events: ["link.expired"] });
  await create({ slug: "once", maxClicks: 1 });
  await call("GET", "/once");
  await service.cron();
  expect(await service.receivedEvents()).toMatchObject([{ data: { slug: "once", reason: "maxClicks" } }]);
});

it("ends a link at once if its expiresAt is now or earlier", async () => {
  const { link } = await create({ slug: "over" });
  expect((await call("GET", "/over")).status).toBe(302);
  expect((await update(mine.key, link.id, { expiresAt: Date.now() })).link.status).toBe("expired");
  expect((await call("GET", "/over")).status).toBe(410);
  expect((await create({ slug: "past", expiresAt: "2020-01-01T00:00:00Z" })).link.status).toBe("expired");
});

describe("an archived link", () => {
  it("redirects, and is in lists only on request", async () => {
    const { link } = await create({ slug: "old", tags: ["t"], archived: true });
    await create({ slug: "new", tags: ["t"] });
    expect((await call("GET", "/old")).status).toBe(302);
    for (const filter of ["", "&tag=t", "&search=example", "&status=active", "&domain=tern.test", "&sort=clicks"]) {
      expect(await list(`archived=exclude${filter}`)).toEqual(["new"]);
      expect(await list(filter)).toEqual(["new"]);
      expect(await list(`archived=only${filter}`)).toEqual(["old"]);
      expect(await list(`archived=include${filter}&order=asc`)).toEqual(["old", "new"]);
    }
    await bulk(mine.key, "PATCH", { ids: [link.id], changes: { archived: false } });
    expect(await list("tag=t")).toEqual(["new", "old"]);
  });

  it("is merged with the others page by page", async () => {
    for (let n = 0; n < 7; n++) await create({ slug: `n${n}`, archived: n % 3 === 0 });
    const slugs: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `archived=include&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const page = (await api("GET", `/api/links?${query}`)) as unknown as {
        links: { slug: string }[];
        nextCursor: string | null;
      };
      slugs.push(...page.links.map(({ slug }) => slug));
      cursor = page.nextCursor;
    }
    expect(slugs).toEqual(["n6", "n5", "n4", "n3", "n2", "n1", "n0"]);
  });
});

describe("an update that changes nothing", () => {
  it.each([
    { title: "Title" },
    { tags: ["a"], expiresAt: null },
    { slug: "same", url: URL_OK, redirectStatus: 302, disabled: false },
    { geo: { FR: URL_OK, DE: URL_OK }, domain: "tern.test" },
    { aliases: [] },
  ])("%j keeps updatedAt and emits no event", async (body) => {
    const service = await newService();
    await service.createWebhook(mine.key, { events: ["link.update"] });
    const { link } = await create({ slug: "same", title: "Title", tags: ["a"], geo: { de: URL_OK, fr: URL_OK } });
    const response = await service.call("PATCH", `/api/links/${link.id}`, { key: mine.key, body });
    expect(await response.json()).toEqual({ link });
    const inBulk = { ids: [link.id], changes: { title: "Title" } };
    expect((await bulk(mine.key, "PATCH", inBulk)).results).toEqual([{ link }]);
    expect(await service.receivedEvents()).toEqual([]);
    await service.call("PATCH", `/api/links/${link.id}`, { key: mine.key, body: { title: "New" } });
    expect(await service.receivedEvents()).toMatchObject([{ data: { title: "New" } }]);
  });
});
