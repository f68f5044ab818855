import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { markLinks } from "../../src/safety/takedowns/store/sweep.ts";
import { DAY_MS, SECOND_MS } from "../../src/limits.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { packVerdict } from "../../src/redirect/verdict.ts";
import { accountId, advance, key, service, START, startService } from "../webhooks/support.ts";
import { api, change, interleave, listen, rowOf, storedEvents } from "./races-support.ts";

beforeEach(startService);

describe("the last visit between reading and writing", () => {
  it.each([{ title: "New" }, { url: "https://other.example/" }, { slug: "renamed" }])(
    "is in the event and in the response of %j",
    async (fields) => {
      const { id } = await service.createLink(key, { slug: "raced", maxClicks: 1 });
      await listen(key);
      const { answer } = await interleave(
        async () => expect((await service.call("GET", "/raced")).status).toBe(302),
        () => change(key, id, fields),
      );
      expect(await rowOf(id)).toMatchObject({ visits: 1, status: "expired" });
      const { link } = await api(key, "GET", `/api/links/${id}`);
      expect(link).toMatchObject({ ...fields, status: "expired" });
      const events = await storedEvents();
      expect(events.map(({ event, data }) => [event, data.status])).toEqual([
        ["link.expired", "expired"],
        ["link.update", "expired"],
      ]);
      expect(answer).toMatchObject({ status: 200, link: { status: "expired" } });
    },
  );

  it("leaves the change a version of the time of its request, by which a job recognises it", async () => {
    const { id } = await service.createLink(key, { slug: "raced", maxClicks: 1 });
    const { answer, writes } = await interleave(
      async () => {
        await service.call("GET", "/raced");
        advance(SECOND_MS);
      },
      () => change(key, id, { title: "New" }),
    );
    expect(writes).toEqual([1, 1]);
    expect(answer.link.updatedAt).toBe(START + 1);
  });

  it("is counted by a limit that comes with the change", async () => {
    const { id } = await service.createLink(key, { slug: "raced", maxClicks: 1 });
    await listen(key);
    const { answer } = await interleave(
      () => service.call("GET", "/raced"),
      () => change(key, id, { maxClicks: 2 }),
    );
    expect(answer).toMatchObject({ status: 200, link: { status: "active" } });
    expect(await rowOf(id)).toMatchObject({ visits: 1, status: "active" });
    const events = await storedEvents();
    expect(events.map(({ event, data }) => [event, data.status])).toEqual([
      ["link.expired", "expired"],
      ["link.update", "active"],
    ]);
    const visits = [await service.call("GET", "/raced"), await service.call("GET", "/raced")];
    expect(visits.map((response) => response.headers.get("Location"))).toEqual(["https://example.com/", null]);
  });
});

async function takeDown(kind: "account" | "host", target: string): Promise<string> {
  const id = newId(START);
  await env.DB.prepare(
    `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by) VALUES (?1, ?2, ?3, ?3, ?4, ?5, 'x')`,
  )
    .bind(id, kind, target, packVerdict({ state: "blocked", reason: "phishing", since: START }, false), START)
    .run();
  return id;
}

const TAKEDOWNS: [name: string, impose: (id: string) => Promise<unknown>][] = [
  ["its account", () => takeDown("account", String(accountId))],
  ["its host", async (id) => markLinks(env.DB, await takeDown("host", "example.com"), [sequenceOf(id)])],
];

describe.each(TAKEDOWNS)("a takedown of %s between reading and writing", (_, impose) => {
  it.each([
    ["raced", { expiresAt: START + DAY_MS }],
    ["raced", { url: "https://other.example/" }],
    ["renamed", { slug: "renamed" }],
  ])("stops visitors of %s after %j", async (slug, fields) => {
    const { id } = await service.createLink(key, { slug: "raced" });
    await interleave(
      () => impose(id),
      async () => expect(await change(key, id, fields)).toMatchObject({ status: 200, link: fields }),
    );
    expect((await api(key, "GET", `/api/links/${id}`)).link.verdict.state).toBe("blocked");
    expect((await service.call("GET", `/${slug}`)).headers.get("Location")).toBeNull();
  });
});
