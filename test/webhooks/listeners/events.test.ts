import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS, LISTENER_EVENT_OVERHEAD_BYTES, MAX_LISTENER_BYTES } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { ListenerWithSecret, Poll } from "../../../src/webhooks/listeners/contract.ts";
import { addMember } from "../../identity/people/members.ts";
import { addKey, BASE_URL, createAccount, jsonOf } from "../../support/api.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { until } from "../../support/until.ts";
import { accountId, advance, countRows, internet, key, service, START, startService } from "../support.ts";
import { Client, linksOf, queueClicks } from "./support.ts";
import { MAX_EVENTS_PER_POLL, MAX_POLL_BYTES } from "../../../src/webhooks/listeners/limits.ts";

let client: Client;
beforeEach(async () => {
  await startService();
  client = new Client(service, key);
});

const idsOf = ({ events }: Poll) => events.map(({ id }) => id);

describe("the events of a listener", () => {
  it("have the body and the headers that a webhook gets, signed with its own secret when they are read", async () => {
    const { id, secret } = await client.create(["link.create"]);
    const webhook = await service.createWebhook(key, { events: ["link.create"] });
    await service.createLink(key, { title: "🐦 ".repeat(90), url: `https://example.com/?q=${"ü".repeat(700)}` });
    await service.deliver();
    advance(600_000);
    const { events, next, missed } = await client.poll(id);
    const [received] = await internet.received();
    const [event] = events;
    expect(event?.body).toBe(received?.body);
    const seconds = String((START + 600_000) / 1_000);
    const sign = (signingKey: string | Buffer, text: string) => createHmac("sha256", signingKey).update(text);
    const standard = sign(Buffer.from(secret.slice(6), "base64"), `${event?.id}.${seconds}.${event?.body}`);
    expect(event?.headers).toEqual({
      "Content-Type": "application/json",
      "User-Agent": "Service-Webhook/1.0",
      "X-Service-Event": "link.create",
      "X-Service-Signature": `t=${seconds},v1=${sign(secret, `${seconds}.${event?.body}`).digest("hex")}`,
      "webhook-id": event?.id,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,${standard.digest("base64")}`,
    });
    const names = Object.keys(event?.headers ?? {}).map((name) => name.toLowerCase());
    expect(Object.keys(received?.headers ?? {})).toEqual(expect.arrayContaining(names));
    expect(received?.headers["webhook-id"]).toBe(event?.id);
    expect([next, missed]).toEqual([event?.cursor, false]);
    expect(webhook.secret).not.toBe(secret);
    // The delivery of the webhook stays in its log, and the listener leaves none.
    expect(await service.listDeliveries(key, webhook.id)).toMatchObject([{ id: event?.id, status: "delivered" }]);
    expect([await countRows("deliveries"), await countRows("event_bodies")]).toEqual([1, 1]);
  });

  it("come in the order of arrival, after the cursor, as often as they are asked for", async () => {
    const { id } = await client.create(["link.create", "link.click"]);
    const link = await service.createLink(key);
    await service.deliver();
    // Clicks that happened before the link was created arrive after it.
    const clicks = await queueClicks(service, accountId, 7, START - 60_000);
    const all = await client.deliverAndPoll(id);
    expect(linksOf(all)[0]).toBe(link.id);
    expect(idsOf(all).slice(1).toSorted()).toEqual(clicks.toSorted());
    expect(all.events.map(({ headers }) => headers["X-Service-Event"])).toEqual([
      "link.create",
      ...clicks.map(() => "link.click"),
    ]);
    expect(await client.poll(id)).toEqual(all);
    expect(await client.poll(id, "?after=")).toEqual(all);
    for (const [index, { cursor }] of all.events.entries())
      expect(idsOf(await client.poll(id, `?after=${cursor}`))).toEqual(idsOf(all).slice(index + 1));
    expect(await client.poll(id, `?after=${all.next}`)).toEqual({ events: [], next: all.next, missed: false });
    expect([await countRows("deliveries"), await countRows("event_bodies"), await countRows("waiting_clicks")]).toEqual(
      [0, 0, 0],
    );
  });

  it("reach each listener, and only those that have their type and account", async () => {
    const [first, second] = [await client.create(["link.create"]), await client.create(["link.create", "link.update"])];
    const { id } = await service.createLink(key);
    await service.call("PATCH", `/api/links/${id}`, { key, body: { title: "Changed" } });
    await service.deliver();
    const types = ({ events }: Poll) => events.map(({ headers }) => headers["X-Service-Event"]);
    expect(types(await client.poll(first.id))).toEqual(["link.create"]);
    expect(new Set(types(await client.poll(second.id)))).toEqual(new Set(["link.create", "link.update"]));
  });

  it("are kept for an hour; a poll that missed some says so and goes on behind them", async () => {
    const { id } = await client.create();
    await service.createLink(key);
    const first = await client.deliverAndPoll(id);
    advance(HOUR_MS / 2);
    await service.createLink(key);
    const both = await client.deliverAndPoll(id);
    expect([both.events.length, both.missed]).toEqual([2, false]);
    advance(HOUR_MS / 2);
    expect(await client.poll(id)).toMatchObject({
      events: [{ id: both.events[1]?.id }],
      missed: true,
      next: both.next,
    });
    expect(await client.poll(id, `?after=${first.next}`)).toMatchObject({ events: [{}], missed: false });
    await service.cron();
    expect(await countRows("listener_events")).toBe(1);
    advance(HOUR_MS / 2);
    expect(await client.poll(id)).toEqual({ events: [], next: both.next, missed: true });
    expect(await client.poll(id, `?after=${both.next}`)).toEqual({ events: [], next: both.next, missed: false });
  });

  it("are at most 100 and 1 MB beside the first in a response", async () => {
    const { id } = await client.create();
    const bytes = 200_000;
    await insertEvents(id, 8, bytes);
    const large = await client.poll(id);
    expect(large.events).toHaveLength(1 + Math.floor(MAX_POLL_BYTES / (bytes + LISTENER_EVENT_OVERHEAD_BYTES)));
    await insertEvents(id, 150, 2);
    const rest = await client.poll(id, `?after=${large.next}`);
    expect(rest.events).toHaveLength(MAX_EVENTS_PER_POLL);
    const last = await client.poll(id, `?after=${rest.next}`);
    expect(large.events.length + rest.events.length + last.events.length).toBe(158);
  });

  it("are the newest 10 MB, beside the oldest of them", async () => {
    const { id } = await client.create();
    const bytes = MAX_LISTENER_BYTES / 10 - LISTENER_EVENT_OVERHEAD_BYTES;
    await insertEvents(id, 12, bytes);
    await service.createLink(key);
    const kept = await client.deliverAndPoll(id);
    expect(kept.missed).toBe(true);
    expect(await countRows("listener_events")).toBe(11);
    await insertEvents(id, 1, 2);
    expect(await client.poll(id, `?after=${kept.next}`)).toMatchObject({ missed: false });
  });

  it("are kept once each, also when wake-ups and responses of the database are lost", async () => {
    const { id } = await client.create(["link.create", "link.click"]);
    service.losesMessages = true;
    const links: string[] = [];
    for (let n = 0; n < 7; n++) links.push((await service.createLink(key)).id);
    service.losesMessages = false;
    await service.cron();
    expect(await loseFirstResponse("INSERT INTO listener_events", () => service.deliver())).toBeGreaterThan(1);
    expect(linksOf(await client.poll(id)).toSorted()).toEqual(links.toSorted());
    const clicks = await queueClicks(service, accountId, 12, START);
    expect(await loseFirstResponse("INSERT INTO listener_events", () => service.deliver())).toBeGreaterThan(1);
    const { events } = await client.poll(id);
    expect(
      events
        .map((event) => event.id)
        .slice(7)
        .toSorted(),
    ).toEqual(clicks.toSorted());
  });
});

/** Stores events of this size for a listener. */
async function insertEvents(listenerId: string, count: number, bytes: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await env.DB.prepare(
      `INSERT INTO listener_events SELECT id, last_offset + ?2 + ${LISTENER_EVENT_OVERHEAD_BYTES}, ?3, 'link.create', ?4, ?5
       FROM webhooks WHERE id = ?1`,
    )
      .bind(listenerId, bytes, newId(START), "x".repeat(bytes), Date.now())
      .run();
}

describe("a poll that waits", () => {
  const PAUSE_MS = 20;
  // Pauses of the Worker take no time in tests; here others must act meanwhile.
  beforeEach(() => {
    vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
  });

  const findPoll = (id: string) =>
    env.DB.prepare("SELECT poll_id FROM webhooks WHERE id = ?1").bind(id).first<string>("poll_id");

  /** Starts a poll with a key of its own for a new account and listener, and waits until it has begun. */
  async function startPoll(wait: number) {
    const account = await createAccount();
    const owner = new Client(service, account.key);
    const { key: polling, keyId } = await addKey(account.accountId);
    const { id } = await owner.create();
    const response = new Client(service, polling).send("GET", `/${id}/events?wait=${wait}`);
    await until(async () => (await findPoll(id)) !== null);
    return { owner, id, keyId, response };
  }

  it("ends with the next event, with a newer poll, with the listener, with the right, and after its time", async () => {
    const polls = await Promise.all([
      startPoll(20),
      startPoll(20),
      startPoll(20),
      startPoll(20),
      startPoll(20),
      startPoll(5),
    ]);
    const [event, superseded, deleted, revoked, disabled] = polls;
    await service.createLink(event.owner.key);
    await service.deliver();
    await superseded.owner.poll(superseded.id);
    await deleted.owner.send("DELETE", `/${deleted.id}`);
    await service.call("DELETE", `/api/keys/${revoked.keyId}`, { key: revoked.owner.key });
    const body = { permissions: ["webhooks:write"] };
    await service.call("PATCH", `/api/keys/${disabled.keyId}`, { key: disabled.owner.key, body });
    advance(5_000);
    const answers = await Promise.all(polls.map(({ response }) => response));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200, 200]);
    const [withEvent, ...others] = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.json()));
    expect(withEvent).toMatchObject({ events: [{}], missed: false });
    const none = { events: [], next: "0", missed: false };
    expect(others).toEqual([none, none, none, none]);
  });

  it("works with a session, until the person signs out", async () => {
    const { cookie, account, key: accountKey } = await addMember("admin");
    const headers = { Cookie: `__Host-tern=${cookie}`, Origin: BASE_URL, "X-Account-Id": account };
    const ask = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api/listeners${path}`, { headers, body });
    const created = await ask("POST", "", { events: ["link.create"] });
    const { listener } = await jsonOf<{ listener: ListenerWithSecret }>(created);
    const path = `/${listener.id}/events?wait=20`;
    const first = ask("GET", path);
    await until(async () => (await findPoll(listener.id)) !== null);
    const firstPoll = await findPoll(listener.id);
    const { id } = await service.createLink(accountKey);
    await service.deliver();
    const received = await jsonOf<Poll>(await first);
    expect(linksOf(received)).toEqual([id]);
    const second = ask("GET", `${path}&after=${received.next}`);
    await until(async () => (await findPoll(listener.id)) !== firstPoll);
    expect((await service.call("POST", "/api/auth/sign-out", { headers })).status).toBe(200);
    expect(await jsonOf(await second)).toEqual({ events: [], next: received.next, missed: false });
    expect((await ask("GET", path)).status).toBe(401);
  });
});
