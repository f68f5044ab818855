import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { CapturedClick } from "../../src/clicks/capture/click.ts";
import { ClickMessageBuilder, type ClickBatchMessage } from "../../src/clicks/capture/message.ts";
import { shardName, shardsOfLink, type ClickShards } from "../../src/clicks/click-log-name.ts";
import { aggregateClicks } from "../../src/clicks/click-log/account-queries.ts";
import type { AggregateQuery } from "../../src/clicks/click-log/aggregate.ts";
import { DAY_MS, HOUR_MS } from "../../src/duration.ts";
import { newId } from "../../src/lib/uuid.ts";
import { createAccount } from "../support/api.ts";
import { clickOn } from "../support/clicks.ts";
import { expectedTotals } from "./click-log/totals-model.ts";
import { CRAWLER, FIREFOX, SAFARI } from "../support/user-agents.ts";

/** The midnight at which the account gets four shards. In the future, so that alarms run only when a test runs them. */
export const MIDNIGHT = Date.UTC(2030, 5, 15);
export const NOW = MIDNIGHT + 3 * HOUR_MS;
export const SHARDED_FROM = MIDNIGHT / DAY_MS;
const DIGITS = ["000", "001", "002", "003", "006"];

export let key: string;
export let accountId: number;
export let links: string[];
export let hot: string;
export let shards: ClickShards;

/** Makes an account at {@link NOW}. */
export async function startAccount(): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  ({ key, accountId } = await createAccount());
  // The last digits choose the shard.
  links = DIGITS.map((digits, n) => newId(MIDNIGHT - 30 * DAY_MS + n).slice(0, -3) + digits);
  shardFor(links[0] ?? "");
}

/** Makes this link the hot one. */
export function shardFor(link: string): void {
  hot = link;
  shards = [[SHARDED_FROM, 4, [hot]]];
}

export const storeShards = () =>
  env.DB.prepare("UPDATE accounts SET click_shards = ?2 WHERE id = ?1").bind(accountId, JSON.stringify(shards)).run();
export const context = () => ({ env, principal: { accountId } });
export const logAt = (shard: number) => env.CLICK_LOG.getByName(shardName(accountId, shard));
export const ALL_SHARDS = [0, 1, 2, 3];
export const rowsAt = (shard: number) =>
  runInDurableObject(logAt(shard), (_, { storage }) =>
    storage.sql.exec<{ link: string; clicks: number }>("SELECT link, clicks FROM clicks").toArray(),
  );
export const clicksAt = async (shard: number) => (await rowsAt(shard)).reduce((sum, { clicks }) => sum + clicks, 0);

/** A message of an isolate whose copies of the links name the shards. */
export function shardedMessage(clicks: readonly CapturedClick[]): ClickBatchMessage {
  const builder = new ClickMessageBuilder();
  for (const click of clicks) builder.add(click, shardsOfLink(JSON.stringify(shards), click[1]));
  return builder.toMessage();
}

/** Clicks of 40 visitors on both sides of the midnight, some by crawlers. */
export function clicksAround(count = 400): CapturedClick[] {
  return Array.from({ length: count }, (_, n) =>
    clickOn(n % 3 === 0 ? hot : (links[n % links.length] ?? ""), accountId, {
      at: MIDNIGHT - 3 * HOUR_MS + Math.floor((n * 6 * HOUR_MS) / count),
      ip: `203.0.113.${(n * 7) % 40}`,
      userAgent: [FIREFOX, SAFARI, FIREFOX, CRAWLER][(n * 5) % 4] ?? "",
      referrer: ["", "https://www.news.example"][n % 2] ?? "",
      country: ["DE", "US", "FR"][n % 3] ?? "",
      city: `City ${n % 17}`,
    }),
  );
}

function queries(): AggregateQuery[] {
  const hours = Array.from({ length: 24 }, (_, n) => MIDNIGHT - 12 * HOUR_MS + n * HOUR_MS);
  const whole = { start: MIDNIGHT - DAY_MS, end: MIDNIGHT + DAY_MS, boundaries: [MIDNIGHT - DAY_MS, MIDNIGHT] };
  return [
    { ...whole, filters: {} },
    // The clocks change at midnight.
    {
      ...whole,
      filters: {},
      clocks: [
        { from: MIDNIGHT - HOUR_MS, offset: HOUR_MS },
        { from: MIDNIGHT, offset: 2.5 * HOUR_MS },
      ],
    },
    { start: MIDNIGHT - 2 * HOUR_MS, end: MIDNIGHT + 2 * HOUR_MS, boundaries: hours, filters: {} },
    { ...whole, filters: { country: { is: ["de"], isNot: [] }, device: { is: [], isNot: ["mobile"] } } },
  ];
}

export async function expectModel(clicks: readonly CapturedClick[]): Promise<void> {
  for (const query of queries())
    for (const selected of [null, [hot], [links[3] ?? ""], links.slice(1, 4)])
      expect(await aggregateClicks(context(), selected, query)).toEqual(expectedTotals(clicks, selected, query, 0));
}
