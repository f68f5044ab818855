import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bufferClick } from "../../../src/click-log/capture/buffer.ts";
import { MAX_URL_CHARS, MAX_USER_AGENT_CHARS } from "../../../src/limits.ts";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { Link } from "../../../src/links/contract.ts";
import {
  accountId,
  buildRequest,
  call,
  createLink,
  key,
  send,
  startAccount,
  takeSentClicks,
  takeSentVisits,
} from "../../support/api.ts";
import { clickOn, clicksIn, logsThat, serializedBytes } from "../../support/clicks.ts";
import { until } from "../../support/until.ts";
import {
  CLICK_SEND_DEADLINE_MS,
  MAX_BUFFERED_CLICKS,
  MAX_CLICKS_PER_MESSAGE,
  MAX_LINKS_PER_MESSAGE,
  MAX_REFERRER_CHARS,
} from "../../../src/click-log/limits.ts";

const RULE_ID = "7d1f5c0e-52f3-5a7c-8a55-3f1f0f6a2b11";

beforeEach(startAccount);

describe("what a redirect captures", () => {
  it("is the time, the link, the origin and the client, whether the link comes from the database or from memory", async () => {
    const { id } = await createLink(key, { slug: "seen" });
    const cf = { country: "DE", regionCode: "BE", region: "Berlin", city: "Berlin", continent: "EU" };
    const headers = { "User-Agent": "Agent/1", Referer: "https://news.example/a/page?with=query" };
    const origin = ["https://news.example", "DE", "BE", "Berlin", "EU", 0];
    for (let time = 0; time < 2; time++) {
      const before = Date.now();
      const request = new Request(buildRequest("GET", "/SEEN?a=1", { address: "203.0.113.7", headers }), { cf });
      expect((await send(request as Parameters<typeof send>[0])).status).toBe(302);
      const [click, ...more] = takeSentVisits();
      expect(more).toEqual([]);
      expect(click).toEqual([
        expect.any(Number),
        id,
        accountId,
        { location: "https://example.com/" },
        "203.0.113.7",
        "Agent/1",
        ...origin,
      ]);
      expect(click?.[0]).toBeGreaterThanOrEqual(before);
    }
  });

  it("tells whether the click came through a QR code, which is hidden from the destination", async () => {
    await createLink(key, { slug: "poster", url: "https://example.com/" });
    for (const query of ["?qr=1", "?a=1&qr=1&b=2"]) {
      expect((await call("GET", `/poster${query}`)).headers.get("Location")).not.toContain("qr=1");
    }
    for (const query of ["", "?qr=2", "?aqr=1", "?qr=11"]) await call("GET", `/poster${query}`);
    expect(takeSentVisits().map((click) => click.at(-1))).toEqual([1, 1, 0, 0, 0, 0]);
  });

  it("is bounded, whatever the visitor sends", async () => {
    await createLink(key, { slug: "long" });
    const long = "x".repeat(16_384);
    for (const referrer of [`https://${long}/`, long, `//${long}`, `https://a.example/${long}`]) {
      await call("GET", "/long", { headers: { "User-Agent": long, Referer: referrer } });
    }
    for (const [, , , , , userAgent, referrer] of takeSentVisits()) {
      expect(userAgent).toHaveLength(MAX_USER_AGENT_CHARS);
      expect(referrer.length).toBeLessThanOrEqual(MAX_REFERRER_CHARS);
    }
  });

  it.each([
    ["HEAD", "HEAD", {}],
    ["a prefetch", "GET", { "Sec-Purpose": "prefetch" }],
    ["a prerendering", "GET", { "Sec-Purpose": "prefetch;prerender" }],
    ["an old prefetch", "GET", { Purpose: "prefetch" }],
    ["a preview", "GET", { Purpose: "preview" }],
    ["an old prefetch of Firefox", "GET", { "X-Moz": "prefetch" }],
    ["a prefetch of Facebook's app", "GET", { "X-Purpose": "preview" }],
    ["a prefetch beside an empty purpose", "GET", { "Sec-Purpose": "", Purpose: "prefetch" }],
  ])("excludes %s", async (_, method, headers: Record<string, string>) => {
    await createLink(key, { slug: "prefetched" });
    for (let time = 0; time < 2; time++) expect((await call(method, "/prefetched", { headers })).status).toBe(302);
    expect(takeSentVisits()).toEqual([]);
  });

  it("excludes requests that are not redirected to the destination", async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    await createLink(key, { slug: "over", expiresAt: now + 1_000, expiredUrl: "https://example.com/over" });
    await createLink(key, { slug: "used", maxClicks: 1 });
    await call("GET", "/used");
    expect(takeSentVisits()).toHaveLength(1);
    vi.setSystemTime(now + 1_000);
    for (const path of ["/over", "/used", "/unknown", "/", "/robots.txt"]) await call("GET", path);
    expect(takeSentVisits()).toEqual([]);
  });
});

/** A queue that a test can make fail, behind ClickLogs that are down. */
function createFailingQueue() {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const sent: ClickBatchMessage[] = [];
  const calls: ClickBatchMessage[][] = [];
  const queue = { down: false, hangs: false, attempts: 0, sent, calls };
  const binding = {
    async sendBatch(messages: { body: ClickBatchMessage }[]) {
      queue.attempts++;
      if (queue.down) throw new Error("the queue is down");
      if (queue.hangs) await new Promise(() => undefined);
      const bodies = messages.map(({ body }) => body);
      calls.push(bodies);
      sent.push(...bodies);
    },
  } as unknown as Env["CLICKS"];
  return { queue, bindings: { CLICKS: binding, CLICK_LOG: logsThat(() => Promise.reject(new Error("down"))) } };
}

/** Clicks without waiting in between; returns when all their background work is done. */
async function clickTimes(count: number, bindings: Partial<Env>): Promise<void> {
  const pending: Promise<Response>[] = [];
  for (let index = 0; index < count; index++) pending.push(send(buildRequest("GET", "/busy"), bindings));
  for (const response of await Promise.all(pending)) expect(response.status).toBe(302);
}

describe("many clicks", () => {
  let link: Link;
  beforeEach(async () => {
    link = await createLink(key, { slug: "busy" });
    await call("GET", "/busy");
    takeSentClicks();
  });

  it("share messages of a bounded size", async () => {
    const { queue, bindings } = createFailingQueue();
    await clickTimes(600, bindings);
    expect(queue.sent.flatMap(clicksIn).length).toBe(600);
    for (const message of queue.sent) expect(clicksIn(message).length).toBeLessThanOrEqual(MAX_CLICKS_PER_MESSAGE);
    expect(queue.sent.length).toBeLessThan(10);
    expect(new Set(queue.sent.map(({ batches }) => batches[0]?.id)).size).toBe(queue.sent.length);
    expect(new Set(queue.sent.flatMap(clicksIn).map(([, linkId]) => linkId))).toEqual(new Set([link.id]));
  });

  it("fit into messages, and messages into one call, also if every character takes three bytes", async () => {
    const { queue, bindings } = createFailingQueue();
    const context = createExecutionContext();
    const texts = { userAgent: "日".repeat(MAX_USER_AGENT_CHARS), referrer: "日".repeat(MAX_REFERRER_CHARS) };
    for (let index = 0; index < 500; index++) {
      // The URL of a target is always ASCII.
      const target = { location: `https://example.com/${index}/`.padEnd(2 * MAX_URL_CHARS, "x"), name: RULE_ID };
      const fields = index % 5 === 0 ? { ...texts, target } : texts;
      bufferClick(clickOn(link.id, accountId, fields), { ...env, ...bindings }, context);
    }
    await waitOnExecutionContext(context);
    expect(Math.max(...queue.sent.map(serializedBytes))).toBeLessThan(128_000);
    expect(
      Math.max(...queue.calls.map((bodies) => bodies.reduce((sum, message) => sum + serializedBytes(message), 0))),
    ).toBeLessThan(256_000);
    expect(queue.calls.length).toBeLessThan(queue.sent.length);
    expect(queue.sent.flatMap(clicksIn).length).toBe(500);
  });

  it("share equal links, targets and origins within a message", async () => {
    const { queue, bindings } = createFailingQueue();
    const context = createExecutionContext();
    const userAgent = "a".repeat(100);
    const fields = { userAgent, referrer: "https://news.example" };
    for (let index = 0; index < 200; index++)
      bufferClick(clickOn(link.id, accountId, fields), { ...env, ...bindings }, context);
    await waitOnExecutionContext(context);
    const [batch, ...more] = queue.sent.flatMap(({ batches }) => batches);
    expect(more).toEqual([]);
    expect(batch).toMatchObject({
      targets: [`${link.id}\n\nhttps://example.com/`],
      origins: ["https://news.example\nDE\nBE\nBerlin\nEU\n0"],
    });
    // Each click has its own time, address and user agent.
    expect(serializedBytes(batch)).toBeLessThan(200 * ("203.0.113.1".length + userAgent.length + 50) + 500);
  });

  it("have a bounded number of links in a message", async () => {
    const { queue, bindings } = createFailingQueue();
    const context = createExecutionContext();
    for (let index = 0; index < 3 * MAX_LINKS_PER_MESSAGE; index++)
      bufferClick(clickOn(newId(Date.now()), accountId), { ...env, ...bindings }, context);
    await waitOnExecutionContext(context);
    expect(queue.sent.map((message) => clicksIn(message).length)).toEqual(Array(3).fill(MAX_LINKS_PER_MESSAGE));
  });

  /** Lets each wait of the code pass at once; counts the waits. */
  function passTime(): { waits: number } {
    const passed = { waits: 0 };
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => {
      passed.waits++;
      vi.setSystemTime(Date.now() + ms);
    });
    return passed;
  }

  it("reach a queue once that was down for a while", async () => {
    passTime();
    const { queue, bindings } = createFailingQueue();
    queue.down = true;
    vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => {
      vi.setSystemTime(Date.now() + ms);
      if (queue.attempts === 4) queue.down = false;
    });
    const lines = vi.spyOn(console, "error");
    await clickTimes(30, bindings);
    expect(queue.sent.flatMap(clicksIn)).toHaveLength(30);
    expect(lines).not.toHaveBeenCalled();
  });

  it("reach a queue that did not respond for a while", async () => {
    const { queue, bindings } = createFailingQueue();
    queue.hangs = true;
    const context = createExecutionContext();
    bufferClick(clickOn(link.id, accountId), { ...env, ...bindings }, context);
    await until(() => queue.attempts === 1);
    queue.hangs = false;
    await until(() => queue.sent.length === 1);
    expect(queue.sent.flatMap(clicksIn)).toHaveLength(1);
  });

  it("are dropped before the platform would end the request, with one log line that counts them", async () => {
    passTime();
    const { queue, bindings } = createFailingQueue();
    queue.down = true;
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const began = Date.now();
    await clickTimes(350, bindings);
    expect(Date.now() - began).toBeLessThanOrEqual(CLICK_SEND_DEADLINE_MS + 3_000);
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "clicks_lost", clicks: 350 }),
    ]);
    queue.down = false;
    await clickTimes(5, bindings);
    expect(queue.sent.flatMap(clicksIn)).toHaveLength(5);
  });

  it("are buffered up to a bound while the queue is down, and the others are logged as lost", async () => {
    const passed = passTime();
    const { queue, bindings } = createFailingQueue();
    queue.down = true;
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const context = createExecutionContext();
    const count = MAX_BUFFERED_CLICKS + 500;
    for (let index = 0; index < count; index++)
      bufferClick(clickOn(link.id, accountId), { ...env, ...bindings }, context);
    expect(passed.waits).toBeLessThanOrEqual(count / MAX_CLICKS_PER_MESSAGE);
    queue.down = false;
    await waitOnExecutionContext(context);
    expect(queue.sent.flatMap(clicksIn).length).toBe(MAX_BUFFERED_CLICKS);
    queue.down = true;
    await clickTimes(7, bindings);
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "clicks_lost", clicks: 500 }),
      expect.objectContaining({ event: "clicks_lost", clicks: 7 }),
    ]);
  });
});
