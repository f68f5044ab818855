import { withClaimedOrigin } from "../../platform/installation/claimed.ts";
import { originWithoutRequest } from "../../platform/lib/hosts.ts";
import { findWithDeleted, parseDeletedLink } from "../../links/store/deleted-links.ts";
import { toLink, type LinkRow } from "../../links/store/row.ts";
import type { Subscriber } from "../../platform/outbox/subscribers.ts";
import { readTarget, type ClickBatch } from "../../click-log/capture/message.ts";
import type { LinkOfEvents, Recipients } from "../../click-log/log/pending-events.ts";
import type { Statements } from "../../platform/database/batch.ts";

/**
 * The recipients of the events of these clicks of one account, with the links as they are in the nearest replica of the database. Clicks that
 * were made before their link was deleted have events too.
 */
export async function readRecipients(
  env: Env,
  webhooks: Subscriber[],
  batches: readonly ClickBatch[],
): Promise<Recipients> {
  const { DB: db, BASE_URL } = await withClaimedOrigin(env);
  const ids = wantedLinks(webhooks, batches);
  const nearest = await readLinks(db.withSession("first-unconstrained"), ids);
  const known = new Set(nearest.map(({ id }) => id));
  // The replica may not know a new link yet.
  const others = await readLinks(
    db,
    ids.filter((id) => !known.has(id)),
  );
  const links = [...nearest, ...others].map((row): [string, LinkOfEvents] => {
    const { id, slug, domain, shortUrl, url } = toLink(row, originWithoutRequest(BASE_URL), 0);
    return [id, { tagKeys: JSON.parse(row.tag_keys ?? "[]") as string[], link: { id, slug, domain, shortUrl, url } }];
  });
  return { webhooks, links: Object.fromEntries(links) };
}

async function readLinks(db: Statements, ids: readonly string[]): Promise<LinkRow[]> {
  const { present, deleted } = await findWithDeleted(db, ids);
  return [...present, ...deleted.map(parseDeletedLink)];
}

/** The links of the batches, without those that no webhook can want. */
function wantedLinks(webhooks: readonly Subscriber[], batches: readonly ClickBatch[]): string[] {
  const ids = [...new Set(batches.flatMap(({ targets }) => targets.map((text) => readTarget(text).linkId)))];
  if (webhooks.some(({ linkIds, tagKeys }) => linkIds === null || tagKeys !== null)) return ids;
  const wanted = new Set(webhooks.flatMap(({ linkIds }) => linkIds ?? []));
  return ids.filter((id) => wanted.has(id));
}
