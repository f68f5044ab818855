import type { ServiceContext } from "../../context.ts";
import { Parameters } from "../../database/parameters.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { recordDeletedLinks } from "./deleted-links.ts";
import { enqueueLinkEvents, type OwnLinks } from "./events.ts";
import { expireDueLinksOf } from "./expiry.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { hasVersion, type LinkVersions } from "./version.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";

/**
 * Deletes those of the links that are the account's, with their events, in one transaction and one round trip. Returns all
 * of the links that existed, as they were, those of other accounts included. A link is only
 * deleted if it has one of the versions. `emitsEvents`: whether `link.delete` is emitted for each.
 */
export async function deleteLinks(
  context: ServiceContext,
  links: OwnLinks,
  versions: LinkVersions,
  emitsEvents: boolean,
): Promise<LinkRow[]> {
  const batch = new OutboxBatch(context);
  expireDueLinksOf(batch, links, context);
  const parameters = new Parameters([context.now]);
  const { condition } = listedLinks(links.ids, parameters);
  const found = batch.add<LinkRow>(`SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE ${condition}`, parameters.values);
  if (emitsEvents) enqueueLinkEvents(batch, "link.delete", links, context, (values) => hasVersion(versions, values));
  const isOwn = `${condition} AND account_id = ${parameters.add(links.accountId)} AND ${hasVersion(versions, parameters)}`;
  const { values } = parameters;
  recordDeletedLinks(batch, `${LISTED_LINKS} WHERE ${isOwn}`, values);
  batch.add(`DELETE FROM ${LISTED_LINKS} WHERE ${isOwn}`, values);
  await batch.commit();
  return found.rows;
}
