import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { ClickRecord, Clicks } from "../../src/clicks/analytics/contract.ts";
import type { ClickMessage } from "../../src/clicks/capture/message.ts";
import { newId } from "../../src/lib/uuid.ts";
import type { ClickEventMessage } from "../../src/outbox/messages.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { consume, FIREFOX, logOf, messageOf, visit } from "../support/clicks.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 2, 30, 12);
const today = Math.floor(NOW / DAY_MS);

const PROFILE = "DE DE-BE Berlin EU news.example link mobile Safari iOS 0".replaceAll(" ", "\u007f");
const BERLIN = { country: "DE", region: "DE-BE", city: "Berlin", continent: "EU" };

/** What an earlier version made of a message with a visit of somebody in Berlin and one of a crawler. */
const FORMER_LINE =
  '["01234567-89ab-4cde-8f01-23456789abcd",[' +
  `[3600000,0,4503599627370497,1,"${PROFILE}"],` +
  '[3600001,1,0,0,"US\u007f\u007f\u007fNA\u007f\u007flink\u007fother\u007fGooglebot\u007fother\u007f1"]]]';

/** A message of that version with two visits of which the second is the older one. */
const FORMER_MESSAGE = (accountId: number, link: string) => [
  {
    id: "01234567-89ab-4cde-8f01-23456789abcd",
    log: `account:${accountId}`,
    accountId,
    visits: [
      [NOW, link, "203.0.113.1", FIREFOX, "0\tDE\tBE\tBerlin\tEU\thttps://news.example"],
      [NOW - 5, link, "203.0.113.2", "curl/8.5.0", "1\tDE\tBE\tBerlin\tEU\t"],
    ]
      .flat()
      .join("\n"),
  },
];

it("counts the visits in a message of an earlier version, once", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { key, accountId } = await createAccount();
  const { id } = await createLink(key);
  const message = FORMER_MESSAGE(accountId, id) as unknown as ClickMessage;
  for (let time = 0; time < 2; time++) expect((await consume([message])).retried).toEqual([]);
  const path = `/api/links/${id}/clicks/records`;
  const { records } = await jsonOf<{ records: ClickRecord[] }>(await call("GET", path, { key }));
  expect(records).toMatchObject([
    { browser: "Firefox", referrer: "news.example", clickedAt: NOW, trigger: "link", geo: BERLIN },
    { browser: "curl", referrer: null, clickedAt: NOW - 5, trigger: "qr", geo: BERLIN },
  ]);
});

it("reads clicks that an earlier version stored, and goes on with their row", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { key, accountId } = await createAccount();
  const { id } = await createLink(key);
  await runInDurableObject(logOf(accountId), (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO clicks VALUES (?, ?, 0, 0, 1, ?, ?, ?, ?, ?)",
      today,
      id,
      today * DAY_MS + 3_600_000,
      today * DAY_MS + 3_600_001,
      today * DAY_MS + 3_600_000,
      NOW,
      FORMER_LINE,
    );
  });
  await consume([messageOf([visit(id, accountId, { at: NOW })])]);
  const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks`, { key }));
  expect(clicks).toMatchObject({ total: 2, unique: 2, bots: 1 });
  expect(clicks.browsers.map(({ value }) => value).toSorted()).toEqual(["Firefox", "Safari"]);
  const path = `/api/links/${id}/clicks/records?bots=include`;
  const { records } = await jsonOf<{ records: ClickRecord[] }>(await call("GET", path, { key }));
  expect(records).toMatchObject([
    { browser: "Firefox", bot: false },
    { browser: "Googlebot", bot: true, id: expect.stringMatching(/-7012-8345-8f0123450001$/) as string },
    {
      clickedAt: today * DAY_MS + 3_600_000,
      geo: BERLIN,
      referrer: "news.example",
      device: "mobile",
      browser: "Safari",
      os: "iOS",
      bot: false,
      id: expect.stringMatching(/-7012-8345-8f0123450000$/) as string,
    },
  ]);
});

it("tells of clicks whose events an earlier version still owed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { key, accountId } = await createAccount();
  const { id } = await createLink(key, { slug: "told" });
  const sent: ClickEventMessage[] = [];
  const DELIVERIES = {
    sendBatch: async (messages: { body: ClickEventMessage }[]) => void sent.push(...messages.map(({ body }) => body)),
  };
  const audience = {
    subscribers: [{ webhookId: newId(NOW), linkIds: null, tags: null }],
    links: { [id]: { tags: [], link: { id, slug: "told", domain: "", shortUrl: "", url: "" } } },
  };
  await runInDurableObject(logOf(accountId), async (log, { storage }) => {
    Object.assign(log, { env: { ...env, DELIVERIES } });
    storage.kv.put("unsent:01234567-89ab-4cde-8f01-23456789abcd", {
      audience: new TextEncoder().encode(JSON.stringify(audience)),
      clicks: [[NOW, id, 0, "", PROFILE]],
      since: NOW - DAY_MS,
    });
    await log.alarm();
    expect([...storage.kv.list({ prefix: "unsent:" })]).toEqual([]);
  });
  expect(sent).toMatchObject([{ eventId: expect.stringMatching(/-7012-8345-8f0123450000$/) as string }]);
  expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ data: { browser: "Safari", geo: BERLIN } });
});
