import { newDomainRow } from "../../../src/domains/store/row.ts";
import { insertDomain } from "../../../src/domains/store/insert.ts";
import { recordDnsResult } from "../../../src/domains/store/verification.ts";
import { insertNote } from "../../../src/clicks/notes/store.ts";
import { DAY_MS } from "../../../src/limits.ts";
import type { CreateLink } from "../../../src/links/contract.ts";
import { toCreateRequest, toNewLink } from "../../../src/links/create.ts";
import type { NewLink } from "../../../src/links/decide.ts";
import { insertLinks } from "../../../src/links/insert-links.ts";
import { expireDueLinks } from "../../../src/links/store/expiry.ts";
import { colorTag } from "../../../src/links/tags/store/tags.ts";
import { insertTemplate } from "../../../src/links/utm-templates/store.ts";
import { addUtm } from "../../../src/links/utm.ts";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import type { RequestContext } from "../../../src/platform/auth/principal.ts";
import { ALWAYS } from "../../../src/platform/database/parameters.ts";
import { toTagKey } from "../../../src/platform/lib/tag-key.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { SAMPLE_LINKS, type SampleLink } from "./links.ts";
import * as story from "./story.ts";
import type { Visited } from "./visits.ts";

/** The account that gets the sample. */
export interface SampleAccount {
  accountId: number;
  /** Who owns it. */
  person: { id: string };
}

/**
 * Stores the links of the sample, if the account never had links, with their domain, tags, templates and notes. Returns
 * those whose clicks are still missing.
 */
export async function findSample(
  db: D1Database,
  account: SampleAccount,
  now: number,
): Promise<Visited[] | "filled" | "in use"> {
  const { links, clicks, isSample } = await describe(db, account);
  if (links > 0 && !isSample) return "in use";
  if (clicks > 0) return "filled";
  if (links === 0) await storeSample(db, account, now);
  return readSample(db, account);
}

interface Description {
  /** With the deleted ones. */
  links: number;
  clicks: number;
  isSample: 0 | 1;
}

async function describe(db: D1Database, { accountId }: SampleAccount): Promise<Description> {
  const found = await db
    .prepare(
      `SELECT (SELECT count(*) FROM links WHERE account_id = ?1) +
           (SELECT count(*) FROM deleted_links WHERE account_id = ?1) AS links,
         (SELECT coalesce(sum(clicks), 0) FROM links WHERE account_id = ?1) AS clicks,
         EXISTS (SELECT 1 FROM domains WHERE account_id = ?1 AND domain = ?2) AS isSample`,
    )
    .bind(accountId, story.SAMPLE_DOMAIN)
    .first<Description>();
  if (found === null) throw new Error("the account cannot be read");
  return found;
}

async function readSample(db: D1Database, { accountId }: SampleAccount): Promise<Visited[]> {
  const { results } = await db
    .prepare("SELECT id, url, slug, created_at AS createdAt FROM links WHERE account_id = ?1")
    .bind(accountId)
    .all<{ id: string; url: string; slug: string; createdAt: number }>();
  return results.flatMap(({ slug, ...link }) => {
    const found = SAMPLE_LINKS.find((each) => each.slug === slug);
    return found === undefined ? [] : [{ ...link, sample: found }];
  });
}

async function storeSample(db: D1Database, account: SampleAccount, now: number): Promise<void> {
  const { accountId } = account;
  const begin = now - story.SAMPLE_DAYS * DAY_MS;
  await storeDomain(contextAt(db, account, begin));
  const links = await Promise.all(SAMPLE_LINKS.map((link) => toStored(db, account, link, now)));
  const { outcomes } = await insertLinks(contextAt(db, account, begin), accountId, links);
  if (outcomes.some((outcome) => outcome?.ok !== true)) throw new Error("links of the sample were refused");
  await expireDueLinks(contextAt(db, account, now));
  for (const [name, color] of Object.entries(story.TAG_COLORS)) {
    const key = toTagKey(name);
    await colorTag(db, accountId, { key, newKey: key }, color);
  }
  for (const [name, utm] of Object.entries(story.UTM_TEMPLATES))
    await insertTemplate(db, accountId, { id: newId(begin), name, utm, createdAt: begin, updatedAt: begin });
  for (const [daysAgo, text] of story.notesAt(now)) {
    const at = story.morningOf(daysAgo, now);
    await insertNote(db, accountId, { id: newId(at), at, text, linkId: undefined, tag: undefined, now: at });
  }
  await db.batch([
    db.prepare("UPDATE accounts SET name = ?2 WHERE id = ?1").bind(accountId, story.SAMPLE_COMPANY),
    db.prepare("UPDATE users SET name = ?2 WHERE id = ?1").bind(account.person.id, story.SAMPLE_PERSON),
  ]);
}

async function storeDomain(context: RequestContext): Promise<void> {
  const { db, now, principal } = context;
  const row = newDomainRow(principal.accountId, story.SAMPLE_DOMAIN, false, now);
  const caller = { accountId: principal.accountId, now, creator: NOBODY, isAllowed: ALWAYS, record: () => {} };
  const { outcome } = await insertDomain(db, caller, row, null);
  // An earlier start was interrupted after it.
  if (outcome === "exists") return;
  const options = { now, jitter: 0, usesCustomHostnames: false };
  await recordDnsResult(context, row, { txt: true, cname: true }, options, null);
  // No DNS has a reserved name, so the cron must not look for it.
  await db.prepare("UPDATE domains SET check_at = NULL WHERE id = ?1").bind(row.id).run();
}

const NOBODY = { key: null, user: null };

async function toStored(db: D1Database, account: SampleAccount, link: SampleLink, now: number): Promise<NewLink> {
  const at = Math.floor(now - link.age * DAY_MS);
  const context = contextAt(db, account, at);
  const request = toCreateRequest(toInput(link, now), context);
  const made = await toNewLink(context, { request, blocked: [], hasPassed: true }, newId(at));
  const creator = { created_by_key: null, created_by_user: account.person.id };
  return { ...made, row: { ...made.row, ...creator, visits: link.maxClicks ?? 0 } };
}

function toInput(link: SampleLink, now: number): CreateLink {
  const { url, utm, slug, title, tags, expiredUrl, maxClicks, disabled, ios, android, geo } = link;
  const at = (days: number | undefined) => (days === undefined ? undefined : Math.floor(now + days * DAY_MS));
  return {
    url: utm === undefined ? url : addUtm(url, utm),
    domain: link.atDomain === true ? story.SAMPLE_DOMAIN : undefined,
    startsAt: at(link.startsIn),
    expiresAt: at(link.expiresIn),
    slug,
    title,
    tags,
    expiredUrl,
    maxClicks,
    disabled,
    ios,
    android,
    geo,
  };
}

/** The context of a request at this time. */
function contextAt(db: D1Database, { accountId }: SampleAccount, now: number): RequestContext {
  return {
    db,
    now,
    // What the sample has needs no other binding: there is no webhook, and no password.
    env: { DB: db, BASE_URL: "", ANONYMOUS_HOST: "" } as Env,
    baseUrl: "http://localhost",
    requestId: "",
    country: null,
    isPassed: false,
    waitUntil: () => {},
    principal: {
      type: "key",
      accountId,
      keyId: "",
      linkDefaults: null,
      isUntrusted: false,
      permissions: PERMISSIONS,
      expiresAt: null,
    },
  };
}
