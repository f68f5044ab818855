import { originWithoutRequest } from "../../lib/hosts.ts";
import { toLink } from "../../links/store/row.ts";
import { findLinks } from "../../links/store/links.ts";
import { clickMessages, type Subscriber } from "../../outbox/subscribers.ts";
import { queueClickEvents } from "../../outbox/messages.ts";
import { toClickRecord } from "../analytics/serialize.ts";
import type { EventBatch } from "../types.ts";
import { clickId } from "../click-id.ts";
import { unpack, type ClickBatch } from "../capture/message.ts";
import { isBot } from "../profile.ts";

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

/** The audience of each batch's clicks as JSON, by the batch's id: it is kept with each, so it holds no other's links. */
export async function readAudiences(
  env: Env,
  subscribers: Subscriber[],
  batches: readonly ClickBatch[],
): Promise<Record<string, string>> {
  const rows = await findLinks(env.DB, [...new Set(batches.flatMap(linkIdsOf))]);
  const links = new Map(
    rows.map((row) => {
      const { id, slug, domain, shortUrl, url, tags } = toLink(row, originWithoutRequest(env.BASE_URL), 0);
      return [id, { tags, link: { id, slug, domain, shortUrl, url } }];
    }),
  );
  const audiences = batches.map((batch) => {
    const known = linkIdsOf(batch).flatMap((id) => {
      const link = links.get(id);
      return link === undefined ? [] : [[id, link] as const];
    });
    return [batch.id, JSON.stringify({ subscribers, links: Object.fromEntries(known) } satisfies Audience)];
  });
  return Object.fromEntries(audiences) as Record<string, string>;
}

function linkIdsOf(batch: ClickBatch): string[] {
  return unpack(batch).map(({ linkId }) => linkId);
}

/** Hands the events of a message's clicks to the queue "deliveries": the same ones for the same `audience`. Crawlers cause none. */
export async function sendClickEvents(env: Env, { id, clicks }: EventBatch, audience: string): Promise<void> {
  const { subscribers, links } = JSON.parse(audience) as Audience;
  const messages = clicks.flatMap(([at, linkId, index, profile]) => {
    const known = links[linkId];
    if (known === undefined || isBot(profile)) return [];
    const eventId = clickId(at, id, index);
    const record = toClickRecord({ id: eventId, linkId, clickedAt: at, profile });
    return clickMessages(subscribers, { eventId, linkId, tags: known.tags, data: { ...record, link: known.link }, at });
  });
  await queueClickEvents(env.DELIVERIES, messages);
}
