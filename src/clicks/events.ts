import { originWithoutRequest } from "../lib/hosts.ts";
import { MAX_LINKS_PER_AUDIENCE } from "../limits.ts";
import { findLinks, toLink } from "../links/store.ts";
import { clickMessages, findSubscribers, type Subscriber } from "../webhooks/clicks.ts";
import { sendClicks } from "../webhooks/messages.ts";
import { toClickRecord } from "./answer.ts";
import type { ClickBatch } from "./batch.ts";
import { clickId } from "./click-id.ts";
import { isBot } from "./profile.ts";

/** Who is to hear of clicks (`link.click`, 6.1), and what they are told of the links. */
interface Audience {
  subscribers: Subscriber[];
  links: Record<string, { tags: string[]; link: LinkOfClick }>;
}

interface LinkOfClick {
  id: string;
  slug: string;
  domain: string;
  shortUrl: string;
  url: string;
}

/** The batches in groups, each with its audience as JSON; all in one with null where nobody asked to hear of clicks. */
export async function* readAudiences(
  env: Env,
  accountId: number | null,
  batches: ClickBatch[],
): AsyncGenerator<{ group: ClickBatch[]; audience: string | null }> {
  const subscribers = accountId === null ? [] : await findSubscribers(env.DB, accountId, "link.click");
  if (subscribers.length === 0) yield { group: batches, audience: null };
  else for (const group of groupByLinks(batches)) yield { group, audience: await audienceOf(env, subscribers, group) };
}

/** Not too many links in a group: their addresses, however long, have to fit into one row. */
function groupByLinks(batches: readonly ClickBatch[]): ClickBatch[][] {
  const groups: ClickBatch[][] = [];
  let links = new Set<string>();
  for (const batch of batches) {
    const own = linksIn([batch]);
    const together = new Set([...links, ...own]);
    const last = groups.at(-1);
    if (last === undefined || together.size > MAX_LINKS_PER_AUDIENCE) groups.push([batch]);
    else last.push(batch);
    links = groups.at(-1) === last ? together : own;
  }
  return groups;
}

function linksIn(batches: readonly ClickBatch[]): Set<string> {
  return new Set(batches.flatMap(({ clicks }) => clicks.map(([, linkId]) => linkId)));
}

async function audienceOf(env: Env, subscribers: Subscriber[], batches: readonly ClickBatch[]): Promise<string> {
  const rows = await findLinks(env.DB, [...linksIn(batches)]);
  const links = rows.map((row) => {
    const { id, slug, domain, shortUrl, url, tags } = toLink(row, originWithoutRequest(env.BASE_URL), 0);
    return [id, { tags, link: { id, slug, domain, shortUrl, url } }];
  });
  return JSON.stringify({ subscribers, links: Object.fromEntries(links) });
}

/** Hands the events of a message's clicks to the queue "deliveries": the same ones for the same `audience`. Crawlers cause none. */
export async function sendClickEvents(env: Env, { id, clicks }: ClickBatch, audience: string): Promise<void> {
  const { subscribers, links } = JSON.parse(audience) as Audience;
  const messages = clicks.flatMap(([at, linkId, index, , profile]) => {
    const known = links[linkId];
    if (known === undefined || isBot(profile)) return [];
    const eventId = clickId(at, id, index);
    const record = toClickRecord({ id: eventId, linkId, clickedAt: at, profile });
    return clickMessages(subscribers, { eventId, linkId, tags: known.tags, data: { ...record, link: known.link }, at });
  });
  await sendClicks(env.DELIVERIES, messages);
}
