import type { Domain } from "../../src/domains/contract.ts";
import { mapLimit } from "../../src/lib/map-limit.ts";
import type { Link } from "../../src/links/contract.ts";
import {
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_DOMAINS_PER_ACCOUNT,
  MAX_PAGE_SIZE_ITEMS,
  MAX_TAG_CHARS,
  MAX_WEBHOOKS_PER_ACCOUNT,
  RATE_LIMIT_WINDOW_MS,
} from "../../src/limits.ts";
import { createPerson, type FuzzPerson } from "../../test/e2e/support/fuzz-person.ts";
import type { Answer } from "../../test/e2e/support/http.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { addKey, createAccount } from "../../test/support/accounts.ts";
import { domainOf, insertDeliveries, insertLinksOf } from "../growth/fill.ts";
import type { InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, NOW } from "../instrumented/year.ts";
import { DESTINATION } from "../runtime.ts";
import { HEAVY_TAG, largestAppFiles, largestBulk, randomText } from "./bodies.ts";
import { DEFAULT_CLICK_RETENTION_DAYS } from "../../src/clicks/limits.ts";
import { MAX_RETRIED_DELIVERIES, MAX_WEBHOOK_FILTER_ITEMS } from "../../src/webhooks/limits.ts";

/** A request of the API. `key` is by default that of the account; null: none. */
export interface Ask {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
  key?: string | null;
}

/** An account that is near its limits. */
export interface FilledAccount {
  server: InstrumentedServer;
  accountId: number;
  key: string;
  /** How many links it has, besides those of the largest size. */
  links: number;
  /** The id of the link with half of all clicks. */
  busyLink: string;
  /** Ids of links of the largest size. */
  heavyLinks: string[];
  /** Ids of webhooks, of which the first has {@link MAX_RETRIED_DELIVERIES} deliveries. */
  webhooks: string[];
  /** Ids of domains with the largest files. */
  domains: string[];
  /** The name of the account's verified domain, which a fifth of the links have. */
  customDomain: string;
  /** The owner of the account, with a session. */
  person: FuzzPerson;
  /** Sends a request from an address of its own. */
  send: (ask: Ask) => Promise<Answer>;
  /** Sends a request that must succeed. After a 429 it waits, by the clock of the service, and tries again. */
  ask: <T>(ask: Ask) => Promise<T>;
}

export interface Size {
  links: number;
  clicks: number;
  /** At least two. Most of the time of a bulk call is that of their deliveries. */
  webhooks: number;
}

export const MOST_WEBHOOKS = MAX_WEBHOOKS_PER_ACCOUNT - 1;

const LINKS_WITH_CLICKS = 50;
const CLICKS_PER_MESSAGE = 100;
const MESSAGES_PER_DELIVERY = 100;
const CONCURRENT = 4;
/** One key, one webhook and one domain are left for the calls that create them. */
const LEFT = 1;
/** The only webhook with the events of all links. The filters of the others select links of the largest size. */
const UNFILTERED = 1;
/** A link that is redirected while calls are measured. */
export const HOT_PATH = "/l1";

export const ALL_LINK_EVENTS = ["link.create", "link.update", "link.delete", "link.expired"];

/** The longest filters of a webhook. They let all links of the largest size pass. */
export function largestFilters(ids: readonly string[]): { linkIds: string[]; tags: string[] } {
  const tags = Array.from({ length: MAX_WEBHOOK_FILTER_ITEMS - 1 }, () => randomText(MAX_TAG_CHARS));
  return { linkIds: ids.slice(0, MAX_WEBHOOK_FILTER_ITEMS), tags: [...tags, HEAVY_TAG] };
}

/** Fills an account by SQL where the API would be slow, and sets the clock of the service to `NOW`. */
export async function fillAccount(
  server: InstrumentedServer,
  { links, clicks, webhooks }: Size,
): Promise<FilledAccount> {
  const { db } = server;
  await server.control({ now: NOW - DEFAULT_CLICK_RETENTION_DAYS * DAY_MS });
  await insertLinks(db, { prefix: "l", first: 1, last: 1, url: DESTINATION });
  const { accountId, key } = await createAccount(db);
  const send: FilledAccount["send"] = ({ method, path, body, headers, key: other = key }) =>
    server.send(method, path, { ...(other !== null && { Authorization: `Bearer ${other}` }), ...headers }, body);
  const account: FilledAccount = {
    server,
    accountId,
    key,
    links,
    send,
    customDomain: domainOf(accountId),
    busyLink: "",
    person: undefined as unknown as FuzzPerson,
    heavyLinks: [],
    webhooks: [],
    domains: [],
    async ask<T>(ask: Ask) {
      let answer = await send(ask);
      if (answer.status === 429) {
        await server.control({ advance: RATE_LIMIT_WINDOW_MS });
        answer = await send(ask);
      }
      if (answer.status >= 300) throw new Error(`${ask.method} ${ask.path}: ${answer.status} ${answer.text}`);
      return answer.json() as T;
    },
  };
  await fillDomains(account);
  await insertLinksOf(db, accountId, 1, links);
  account.busyLink = await fillClicks(account, clicks);
  await server.control({ now: NOW });
  account.person = await createPerson(db, "ann@example.com", accountId, NOW + DAY_MS);
  for (let n = 0; n < MAX_PAGE_SIZE_ITEMS; n++) await addKey(db, accountId, { expiresAt: 0 });
  for (let n = 1; n < MAX_ACTIVE_KEYS_PER_ACCOUNT - LEFT; n++) await addKey(db, accountId);
  account.heavyLinks = await createHeavyLinks(account);
  await fillWebhooks(account, webhooks);
  return account;
}

/** Creates a hundred of the largest links; returns their ids. */
export async function createHeavyLinks({ ask }: FilledAccount): Promise<string[]> {
  const { results } = await ask<{ results: { link: Link }[] }>({
    method: "POST",
    path: "/api/links/bulk",
    body: largestBulk(),
  });
  return results.map(({ link }) => link.id);
}

async function fillDomains(account: FilledAccount): Promise<void> {
  const { server, accountId, customDomain, ask, domains } = account;
  const insert = server.db.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, '', 'verified', ?4, 0, 0, 0)`,
  );
  await insert.bind("00000000-0000-7000-8000-000000000000", accountId, customDomain, NOW * 2).run();
  const files = JSON.stringify(largestAppFiles());
  const names = Array.from({ length: MAX_DOMAINS_PER_ACCOUNT - 1 - LEFT }, (_, n) => `filled-${n}.acme.com`);
  await mapLimit(names, CONCURRENT, async (name) => {
    const body = JSON.stringify({ domain: name });
    const { domain } = await ask<{ domain: Domain }>({ method: "POST", path: "/api/domains/add", body });
    await ask({ method: "PATCH", path: `/api/domains/${domain.id}`, body: files });
    domains.push(domain.id);
  });
}

/** Adds clicks of the days that are kept as single clicks. Half of them are those of one link, whose id is returned. */
async function fillClicks({ server, accountId }: FilledAccount, clicks: number): Promise<string> {
  const select = server.db.prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq LIMIT ?2");
  const { results } = await select.bind(accountId, LINKS_WITH_CLICKS).all<{ id: string }>();
  const [busy = "", ...others] = results.map(({ id }) => id);
  const links = others.flatMap((id) => [busy, id]);
  for (let day = DEFAULT_CLICK_RETENTION_DAYS - 1; day > 0; day--) {
    const from = NOW - day * DAY_MS;
    const take = { accountId, links, perMessage: CLICKS_PER_MESSAGE, perDelivery: MESSAGES_PER_DELIVERY, from };
    const until = from + DAY_MS / 2;
    await server.control({
      now: until,
      take: { ...take, clicks: Math.ceil(clicks / (DEFAULT_CLICK_RETENTION_DAYS - 1)), until },
    });
  }
  return busy;
}

async function fillWebhooks(account: FilledAccount, count: number): Promise<void> {
  const { server, ask, webhooks, heavyLinks } = account;
  for (let n = 0; n < count; n++) {
    const body = JSON.stringify({
      url: `https://hooks-${n}.tern-receiver.com/hooks`,
      events: ALL_LINK_EVENTS,
      ...(n !== UNFILTERED && largestFilters(heavyLinks)),
    });
    const { webhook } = await ask<{ webhook: { id: string } }>({ method: "POST", path: "/api/webhooks", body });
    webhooks.push(webhook.id);
  }
  await insertDeliveries(server.db, webhooks[0] ?? "", 1, MAX_RETRIED_DELIVERIES);
}
