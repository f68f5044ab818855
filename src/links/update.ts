import type { AccountContext } from "../context.ts";
import { invalidRequest } from "../http/errors.ts";
import type { Fault } from "../http/faults.ts";
import type { RequiredVersions } from "../http/if-match.ts";
import { findResponse, type Idempotency, type StoredResponse } from "../idempotency/store.ts";
import { isId, newId } from "../lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import { publishLinks, type ChangedSlugs } from "../redirect/lookup/publish.ts";
import { keyOf, slugsOf } from "./aliases.ts";
import { syncClickCounters } from "./click-counters.ts";
import type { UpdateLink } from "./contract.ts";
import { toStoredDomain } from "./domain.ts";
import type { OwnHosts } from "./destination.ts";
import type { Utm } from "./fields.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { toNewPasswords } from "./password.ts";
import { changesDestination, refuseBlocked, toDestinations, watchLinks } from "./screening.ts";
import { findLinks } from "./store/links.ts";
import { toColumns, type LinkColumns, type LinkRow } from "./store/row.ts";
import * as store from "./store/update.ts";
import { addUtm } from "./utm.ts";
import {
  NESTED_SLUGS_OFF,
  toLinkRequest,
  SLUG_RESERVED,
  validateHosts,
  validateUtm,
  type LinkRequest,
} from "./validate.ts";
import type { RequestContext } from "../auth/principal.ts";

/** Updates the account's link. Returns it as it is afterwards. Throws if the update is refused. */
export async function updateLink(
  context: RequestContext,
  id: string,
  input: UpdateLink,
  versions: RequiredVersions = null,
): Promise<LinkRow> {
  requireLinkId(id);
  const { outcomes } = await updateLinks(context, [id], toUpdateRequest(input, context), { versions });
  return rowOf(outcomes.get(id));
}

/** Throws a 400 if the fields are invalid. */
export function toUpdateRequest(input: UpdateLink, context: OwnHosts, prefix = ""): LinkRequest {
  const domain = input.domain === undefined ? undefined : toStoredDomain(input.domain, context.baseUrl);
  const request = toLinkRequest(input, domain, context);
  throwErrors(request.errors, prefix);
  return request;
}

/** Throws a 400 if there are errors. `prefix` is the path of the fields in the body of the request. */
export function throwErrors(errors: readonly Fault[], prefix: string): void {
  if (errors.length === 0) return;
  throw invalidRequest(errors.map((each) => ({ ...each, path: prefix + each.path })));
}

interface UpdateOptions extends Partial<Pick<store.LinkUpdate, "versions" | "columnsById" | "shortUrls">> {
  /** Of a single link: the response `{link}` is stored for it. If an earlier request had the same key, nothing is updated. */
  idempotency?: Idempotency | null;
}

interface Updates {
  /** For each valid id. */
  outcomes: Map<string, LinkOutcome>;
  /** The hosts of the request that are verified domains. */
  verifiedHosts: ReadonlySet<string>;
  earlier: StoredResponse | null;
}

/** Updates the account's links, in one transaction. Those that would lead to a blocked destination stay as they are. */
export async function updateLinks(
  context: AccountContext,
  ids: readonly string[],
  request: LinkRequest,
  options: UpdateOptions = {},
): Promise<Updates> {
  const outcomes = new Map<string, LinkOutcome>();
  const verifiedHosts = new Set<string>();
  const valid = [...new Set(ids)].filter(isId);
  if (valid.length === 0) return { outcomes, verifiedHosts, earlier: null };
  const { columnsById, idempotency = null } = options;
  const toFields = (id: string) => ({ ...toDestinations(columnsById?.values.get(id) ?? {}), ...request.fields });
  await refuseBlocked(context, valid, toFields, outcomes);
  const accepted = valid.filter((id) => !outcomes.has(id));
  if (accepted.length > 0) return updateAccepted(context, accepted, request, options, outcomes);
  // A repeated request may have been accepted.
  return { outcomes, verifiedHosts, earlier: await findEarlier(context, idempotency) };
}

/** Adds the outcomes to those that there are. */
async function updateAccepted(
  context: AccountContext,
  ids: readonly string[],
  { fields, domain, hosts }: LinkRequest,
  { versions = null, columnsById = null, shortUrls = null, idempotency = null }: UpdateOptions,
  outcomes: Map<string, LinkOutcome>,
): Promise<Updates> {
  const updated: store.UpdatedLink[] = [];
  let verifiedHosts: ReadonlySet<string> = new Set();
  const isPending = (id: string) => !outcomes.has(id);
  let pending = [...ids];
  await syncClickCounters(context);

  const columns = toUpdateColumns(fields, domain);
  const passwords =
    fields.password == null ? undefined : await toNewPasswords(context.env.ENCRYPTION_KEYS, pending, fields.password);
  const toStore = idempotency && { idempotency, requestId: newId(context.now) };
  // A link is tried again if its URL changed after the new URL was made from it.
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS && pending.length > 0; attempt++) {
    const { url, utm } = fields;
    const urls = url === undefined && utm !== undefined ? await mergeUtm(context, pending, utm, outcomes) : undefined;
    pending = pending.filter(isPending);
    if (pending.length === 0) break;
    const links = { accountId: context.principal.accountId, ids: pending };
    const { aliases } = fields;
    const update = { columns, columnsById, hosts, shortUrls, aliases, urls, passwords, versions, toStore };
    const result = await store.updateLinks(context, links, update);
    ({ verifiedHosts } = result);
    if (result.earlier !== null) return { outcomes, verifiedHosts, earlier: result.earlier };
    for (const [id, stored] of result.outcomes) {
      if (stored.outcome === "url_changed") continue;
      if (stored.outcome === "updated") updated.push(stored);
      outcomes.set(id, toOutcome(stored, fields, verifiedHosts));
    }
    pending = pending.filter(isPending);
  }
  for (const id of pending) outcomes.set(id, refuse("changed_concurrently"));
  watchLinks(
    context,
    updated.flatMap(({ before, after }) => (changesDestination(before, after) ? [after.id] : [])),
  );
  await publishLinks(
    context,
    updated.flatMap((each) => toChangedSlugs(each, context.env.ANONYMOUS_HOST)),
  );
  return { outcomes, verifiedHosts, earlier: null };
}

/** The columns that the update sets to the same values for all links. */
export function toUpdateColumns(fields: UpdateLink, domain: string | undefined): Partial<LinkColumns> {
  return {
    ...toColumns(fields),
    ...(domain !== undefined && { domain }),
    ...(fields.password === null && { password_hash: null }),
  };
}

/** Merges a campaign into the URLs that the links have. Adds an outcome for each link for which that is not possible. */
async function mergeUtm(
  context: AccountContext,
  ids: readonly string[],
  utm: Utm,
  outcomes: Map<string, LinkOutcome>,
): Promise<Map<string, { from: string; to: string }>> {
  const { db, principal } = context;
  const rows = new Map((await findLinks(db, ids)).map((row) => [row.id, row]));
  const urls = new Map<string, { from: string; to: string }>();
  for (const id of ids) {
    const row = rows.get(id);
    const to = row === undefined ? "" : addUtm(row.url, utm);
    if (row === undefined) outcomes.set(id, refuse("not_found"));
    else if (row.account_id !== principal.accountId) outcomes.set(id, refuse("forbidden"));
    else if (validateUtm(to).length > 0) outcomes.set(id, refuse("invalid", { errors: validateUtm(to) }));
    else urls.set(id, { from: row.url, to });
  }
  await refuseBlocked(context, [...urls.keys()], (id) => ({ url: urls.get(id)?.to }), outcomes);
  return urls;
}

function findEarlier({ db, now }: AccountContext, idempotency: Idempotency | null): Promise<StoredResponse | null> {
  return idempotency === null ? Promise.resolve(null) : findResponse(db, idempotency, now);
}

function toOutcome(stored: store.UpdateOutcome, fields: UpdateLink, verifiedHosts: ReadonlySet<string>): LinkOutcome {
  const { outcome } = stored;
  if (outcome === "updated") return { ok: true, row: stored.after };
  if (outcome === "unchanged") return { ok: true, row: stored.row };
  if (outcome === "slug_taken") return refuse(outcome, { slug: stored.slug });
  if (outcome === "slug_reserved") return refuse("invalid", { errors: [SLUG_RESERVED] });
  if (outcome === "nested_slugs_off") return refuse("invalid", { errors: [NESTED_SLUGS_OFF] });
  if (outcome === "leads_to_domain") return refuse("invalid", { errors: validateHosts(fields, verifiedHosts) });
  if (outcome === "url_changed" || outcome === "repeated") return refuse("changed_concurrently");
  if (outcome === "quota_exceeded") return refuse(outcome, { quota: stored.quota });
  return refuse(outcome, { fields });
}

function toChangedSlugs({ before, after, isReachable }: store.UpdatedLink, host: string): ChangedSlugs[] {
  const slugs = slugsOf(after);
  const kept = before.domain === after.domain ? new Set(slugs.map((slug) => keyOf(after, slug))) : new Set();
  const ended = slugsOf(before).filter((slug) => !kept.has(keyOf(before, slug)));
  const lost = { ...after, case_sensitive: before.case_sensitive };
  return [
    ...(isReachable || after.domain === host ? [{ row: after, domain: after.domain, slugs, isGone: false }] : []),
    { row: lost, domain: before.domain, slugs: ended, isGone: true },
  ];
}
