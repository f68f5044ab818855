import { conflict, invalidRequest } from "../http/errors.ts";
import { newId } from "../lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import { changeIfThere, type ChangeContext } from "./update.ts";
import type { UpdateLink, UpsertLink } from "./contract.ts";
import { hashOf, publishNew, refusalOf, toDraft, toNewLink, type Draft } from "./create.ts";
import { insertLinks, type InsertOutcome } from "./store/insert.ts";
import type { LinkRow } from "./store/row.ts";
import { findByExternalId, findBySlug } from "./store/links.ts";
import { wake } from "./notify-webhooks.ts";

/**
 * Changes the link that the request names, or makes it. Nothing is locked: whoever finds none and is then too late to
 * make it finds the one that another made, and changes that.
 */
export async function upsert(c: ChangeContext, input: UpsertLink): Promise<{ created: boolean; row: LinkRow }> {
  const { accountId } = c.get("context").principal;
  const creation = { accountId, now: c.get("context").now, baseUrl: c.get("context").baseUrl };
  const draft = toDraft(creation, input);
  let passwordHash: string | null = null;
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    const found = await findNamed(c.env.DB, accountId, draft);
    if (found?.account_id === accountId) {
      const row = await changeIfThere(c, found.id, differing(input, draft, found));
      if (row !== null) return { created: false, row };
      continue;
    }
    // Of a new link: one that is there may be at another domain than the one that is not given.
    if (draft.faults.length > 0) throw invalidRequest(draft.faults);
    passwordHash ??= await hashOf(draft);
    const link = toNewLink(creation, draft, passwordHash, newId(creation.now));
    const event = { id: newId(creation.now), now: creation.now, baseUrl: creation.baseUrl };
    const { outcomes, webhookIds } = await insertLinks(c.env.DB, accountId, [link], null, event);
    wake(c, webhookIds);
    const outcome = outcomes[0] as InsertOutcome;
    if (outcome.outcome === "created") {
      await publishNew(link.row, creation.now);
      return { created: true, row: link.row };
    }
    const refusal = refusalOf(outcome, draft);
    if (refusal !== null && !isTooLate(outcome, draft, found)) throw refusal;
  }
  throw conflict("Others are changing this link at the same time. Try again.");
}

function findNamed(db: D1Database, accountId: number, { fields, domain }: Draft): Promise<LinkRow | null> {
  if (fields.externalId != null) return findByExternalId(db, accountId, fields.externalId);
  return findBySlug(db, domain, fields.slug ?? "");
}

/** Whether another request has made the link since it was looked for. */
function isTooLate({ outcome }: InsertOutcome, { fields, domain }: Draft, found: LinkRow | null): boolean {
  if (fields.externalId != null) return outcome === "external_id_taken";
  // At a custom domain, one of its last holder was found but is in nobody's way.
  return outcome === "slug_taken" && (found === null || domain !== "");
}

/** The fields without those of a link's place and name that are as they were: what is set costs a write in their indexes. */
function differing({ slug, domain, externalId, ...others }: UpsertLink, draft: Draft, found: LinkRow): UpdateLink {
  return {
    ...others,
    ...(slug !== found.slug && { slug }),
    ...(externalId !== found.external_id && { externalId }),
    // That a custom domain is still the account's is checked where it is given.
    ...((draft.domain !== "" || found.domain !== "") && { domain }),
  };
}
