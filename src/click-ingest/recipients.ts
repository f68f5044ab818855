import { originWithoutRequest } from "../lib/hosts.ts";
import { findWithDeleted, parseDeletedLink } from "../links/store/deleted-links.ts";
import { toLink } from "../links/store/row.ts";
import type { Subscriber } from "../outbox/subscribers.ts";
import { readTarget, type ClickBatch } from "../clicks/capture/message.ts";
import type { LinkOfEvents, Recipients } from "../clicks/click-log/pending-events.ts";

/**
 * The recipients of the events of these clicks, with the links as they are now. Clicks that were made before their link was
 * deleted have events too.
 */
export async function readRecipients(
  env: Env,
  webhooks: Subscriber[],
  batches: readonly ClickBatch[],
): Promise<Recipients> {
  const ids = [...new Set(batches.flatMap(({ targets }) => targets.map((text) => readTarget(text).linkId)))];
  const { present, deleted } = await findWithDeleted(env.DB, ids);
  const rows = [...present, ...deleted.map(parseDeletedLink)];
  const links = rows.map((row): [string, LinkOfEvents] => {
    const { id, slug, domain, shortUrl, url } = toLink(row, originWithoutRequest(env.BASE_URL), 0);
    return [id, { tagKeys: JSON.parse(row.tag_keys ?? "[]") as string[], link: { id, slug, domain, shortUrl, url } }];
  });
  return { webhooks, links: Object.fromEntries(links) };
}
