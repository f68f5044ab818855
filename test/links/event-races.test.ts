import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { SECOND_MS } from "../../src/limits.ts";
import { setVerdicts } from "../../src/links/set-verdicts.ts";
import { expireDueLinks } from "../../src/links/store/expiry.ts";
import type { Verdict } from "../../src/redirect/verdict.ts";
import { Browser } from "../identity/people/support.ts";
import { jobContext } from "../support/api.ts";
import { advance, key, service, START, startService } from "../webhooks/support.ts";
import { claim, linksOf, shorten, signInWith } from "./claims-support.ts";
import { api, change, interleave, listen, rowOf, storedEvents } from "./races-support.ts";

beforeEach(startService);

const ALL = ["link.create", "link.update", "link.delete", "link.expired"];
const BLOCKED: Verdict = { state: "blocked", reason: "phishing", since: START };

const remove = (id: string) => api(key, "DELETE", `/api/links/${id}`);
const restore = (id: string) => api(key, "POST", `/api/links/${id}/restore`);
const judge = (id: string) => setVerdicts(jobContext(START), new Map([[id, BLOCKED]]));
const told = async () => (await storedEvents()).map(({ event, data }) => [event, data.title, data.status]);

describe("a deletion", () => {
  it("reports the link with a change that is made between reading and writing", async () => {
    const { id } = await service.createLink(key);
    await listen(key, ALL);
    const { answer } = await interleave(
      () => change(key, id, { title: "New" }),
      () => remove(id),
    );
    expect(answer.status).toBe(200);
    expect(await told()).toEqual([
      ["link.delete", "New", "active"],
      ["link.update", "New", "active"],
    ]);
  });

  it("is refused if the link has another version by then", async () => {
    const { id, updatedAt } = await service.createLink(key);
    await listen(key, ["link.delete"]);
    const { answer } = await interleave(
      () => change(key, id, { title: "New" }),
      () => api(key, "DELETE", `/api/links/${id}`, undefined, { "If-Match": `"${updatedAt}"` }),
    );
    expect(answer.status).toBe(412);
    expect(await told()).toEqual([]);
  });

  it("reports that the last visit between reading and writing has ended the link", async () => {
    const { id } = await service.createLink(key, { slug: "raced", maxClicks: 1 });
    await listen(key, ALL);
    await interleave(
      () => service.call("GET", "/raced"),
      () => remove(id),
    );
    expect(await told()).toEqual([
      ["link.delete", null, "expired"],
      ["link.expired", null, "expired"],
    ]);
  });

  it("is reported once, also by 40 calls at once", async () => {
    const { id } = await service.createLink(key);
    await listen(key, ALL);
    const answers = await Promise.all(Array.from({ length: 40 }, () => remove(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await told()).toEqual([["link.delete", null, "active"]]);
  });
});

describe("the cron", () => {
  it("leaves a link that is prolonged between reading and writing, and does not report it again", async () => {
    const { id } = await service.createLink(key, { expiresAt: START + SECOND_MS });
    await listen(key, ALL);
    advance(2 * SECOND_MS);
    await interleave(
      () => change(key, id, { expiresAt: START + 90 * SECOND_MS }),
      () => service.cron(),
    );
    expect(await told()).toEqual([
      ["link.expired", null, "expired"],
      ["link.update", null, "active"],
    ]);
    expect(await rowOf(id)).toMatchObject({ status: "active" });
  });
});

describe("a restoration", () => {
  it("leaves out an alias that is used again between reading and writing", async () => {
    const { id } = await service.createLink(key, { slug: "old" });
    await change(key, id, { slug: "new" });
    await remove(id);
    await listen(key, ALL);
    const { answer } = await interleave(
      () => service.createLink(key, { slug: "old", title: "Other" }),
      () => restore(id),
    );
    expect(answer).toMatchObject({ status: 200, link: { slug: "new", aliases: [] } });
    const events = await storedEvents();
    expect(events.find(({ data }) => data.id === id)?.data).toEqual(answer.link);
  });

  it("is refused if the slug is used again by then", async () => {
    const { id } = await service.createLink(key, { slug: "raced" });
    await remove(id);
    const { answer } = await interleave(
      () => service.createLink(key, { slug: "raced" }),
      () => restore(id),
    );
    expect(answer).toMatchObject({ status: 409, details: [{ code: "slug_used_again" }] });
  });

  it("keeps a change that others have made, deleted and recorded in the same millisecond by then", async () => {
    const { id } = await service.createLink(key, { title: "Old" });
    await remove(id);
    const { answer } = await interleave(
      async () => {
        await restore(id);
        await change(key, id, { title: "Changed" });
        await remove(id);
      },
      () => restore(id),
    );
    expect(answer).toMatchObject({ status: 200, link: { title: "Changed" } });
  });

  it("is one if another call has restored the link by then", async () => {
    const { id } = await service.createLink(key);
    await remove(id);
    await listen(key, ALL);
    const { answer } = await interleave(
      () => restore(id),
      () => restore(id),
    );
    expect(answer.status).toBe(200);
    expect(await storedEvents()).toMatchObject([{ event: "link.create", data: answer.link }]);
  });
});

describe("a verdict", () => {
  it("is reported with a change that is made between reading and writing", async () => {
    const { id } = await service.createLink(key);
    await listen(key, ALL);
    const { answer } = await interleave(
      () => change(key, id, { title: "New" }),
      () => judge(id),
    );
    expect(answer).toMatchObject([{ id, title: "New" }]);
    const events = await storedEvents();
    expect(events.map(({ data }) => [data.title, data.verdict.state])).toEqual([
      ["New", "allowed"],
      ["New", "blocked"],
    ]);
  });

  it("is set once by two runs at once", async () => {
    const { id } = await service.createLink(key);
    await listen(key, ALL);
    const { answer } = await interleave(
      () => judge(id),
      () => judge(id),
    );
    expect(answer).toEqual([]);
    expect(await told()).toHaveLength(1);
  });
});

describe("a claim", () => {
  it("ends the expiry that the cron notices between reading and writing", async () => {
    const browser = new Browser();
    const { id, expiresAt } = await shorten(browser);
    await signInWith(browser);
    await interleave(
      () => expireDueLinks(jobContext(expiresAt as number)),
      () => claim(browser),
    );
    const stored = env.DB.prepare("SELECT status, expires_at FROM links WHERE id = ?1").bind(id);
    expect(await stored.first()).toEqual({ status: "active", expires_at: null });
  });

  it("keeps a verdict that comes between reading and writing", async () => {
    const browser = new Browser();
    const { id } = await shorten(browser);
    await signInWith(browser);
    const { answer } = await interleave(
      () => judge(id),
      () => claim(browser),
    );
    expect(linksOf(answer)).toMatchObject([{ id, verdict: BLOCKED }]);
    const row = await env.DB.prepare("SELECT account_id IS NOT NULL AS is_claimed FROM links WHERE id = ?1")
      .bind(id)
      .first("is_claimed");
    expect(row).toBe(1);
  });
});
