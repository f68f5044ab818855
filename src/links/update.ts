import type { AccountContext } from "../platform/context.ts";
import { invalidRequest } from "../platform/http/errors.ts";
import type { Fault } from "../platform/http/faults.ts";
import type { RequiredVersions } from "../platform/http/if-match.ts";
import type { Idempotency, StoredResponse } from "../platform/idempotency/store/responses.ts";
import { isId, newId } from "../platform/lib/uuid.ts";
import type { RedirectRow } from "../redirect/lookup/entry.ts";
import { publishLinks, type ChangedSlugs } from "../redirect/lookup/publish.ts";
import { keyOf, slugsOf } from "./aliases.ts";
import { syncClickCounters } from "./click-counters.ts";
import type { UpdateLink } from "./contract.ts";
import type { Change, NewColumns } from "./decide.ts";
import { decideChanges } from "./decide-changes.ts";
import { toStoredDomain } from "./domain.ts";
import type { OwnHosts } from "./destination-url.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { repeatDecisions } from "./repeat.ts";
import { changesDestination, screenOnce, watchLinks } from "./screening.ts";
import { writeChanges } from "./store/change.ts";
import type { LinkChange } from "./store/change-condition.ts";
import { readForChange, type WantedShortUrl } from "./store/change-facts.ts";
import type { LinkRow } from "./store/row.ts";
import type { WrittenChange } from "./store/write-columns.ts";
import { toLinkRequest, type LinkRequest } from "./validate.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

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

interface UpdateOptions extends Partial<Pick<Change, "tags" | "columnsById" | "versions">> {
  /** Of a single link: the response `{link}` is stored for it. If an earlier request had the same key, nothing is updated. */
  idempotency?: Idempotency | null;
}

interface Updates {
  /** For each valid id. */
  outcomes: Map<string, LinkOutcome>;
  /** The hosts of the request that are verified domains. If there are any, no link is updated. */
  verifiedHosts: ReadonlySet<string>;
  earlier: StoredResponse | null;
}

/**
 * Reads the links, decides each, and writes the accepted changes in one transaction. A link that changed after the read is not
 * written. It is read and decided again.
 */
export async function updateLinks(
  context: AccountContext,
  ids: readonly string[],
  { fields, domain, hosts }: LinkRequest,
  { tags = {}, columnsById = null, versions = null, idempotency = null }: UpdateOptions = {},
): Promise<Updates> {
  const { db, now, principal } = context;
  const change: Change = { fields, domain, tags, columnsById, versions };
  const toStore = idempotency && { idempotency, requestId: newId(now) };
  const outcomes = new Map<string, LinkOutcome>();
  const screen = screenOnce(context);
  let verifiedHosts: ReadonlySet<string> = new Set();
  let earlier: StoredResponse | null = null;
  const syncing = syncClickCounters(context);
  const left = await repeatDecisions([...new Set(ids)].filter(isId), async (pending, isFirst) => {
    // A link may have ended during the wait.
    const current = isFirst ? context : { ...context, now: Date.now() };
    const read = await readForChange(db, pending, wantedShortUrls(pending, change), hosts);
    if (isFirst) ({ verifiedHosts } = read);
    // Not the present time: a job recognises its changes by versions of the time of its attempt.
    const { refusals, changes } = await decideChanges(context, pending, change, read, await syncing, screen);
    const publish = (written: readonly WrittenChange<LinkChange>[]) => afterWrite(current, written);
    const written = await writeChanges(current, principal.accountId, changes, { hosts, toStore }, publish);
    ({ earlier } = written);
    if (earlier !== null) return [];
    for (const [id, outcome] of [...refusals, ...written.outcomes]) outcomes.set(id, outcome);
    return pending.filter((id) => !outcomes.has(id));
  });
  for (const id of left) outcomes.set(id, refuse("changed_concurrently"));
  return { outcomes, verifiedHosts, earlier };
}

/** The short URLs that the change gives. Empty if the change sets neither a slug nor a domain. */
function wantedShortUrls(ids: readonly string[], { fields: { slug }, domain, columnsById }: Change): WantedShortUrl[] {
  const wanted = ids.map((id) => ({ id, slug, domain: columnsById?.get(id)?.domain ?? domain }));
  return wanted.filter((each) => each.slug !== undefined || each.domain !== undefined);
}

async function afterWrite(context: AccountContext, written: readonly WrittenChange<LinkChange>[]): Promise<void> {
  const redirected = written.filter(({ before, after }) => changesDestination(before, after));
  watchLinks(
    context,
    redirected.map(({ after }) => after.id),
  );
  const seen = written.filter(isSeenByRedirects);
  await publishLinks(
    context,
    seen.flatMap((each) => toChangedSlugs(each, context.env.ANONYMOUS_HOST)),
  );
}

/** The columns that redirects do not read. A change of these alone is not published. */
const UNSEEN_BY_REDIRECTS: ReadonlySet<string> = new Set<
  Exclude<keyof NewColumns, keyof RedirectRow | "domain" | "slug" | "aliases">
>(["title", "tags", "tag_keys", "archived", "external_id"]);

function isSeenByRedirects({ columns }: LinkChange): boolean {
  return Object.keys(columns).some((column) => !UNSEEN_BY_REDIRECTS.has(column));
}

function toChangedSlugs({ before, after, isReachable }: WrittenChange<LinkChange>, host: string): ChangedSlugs[] {
  const slugs = slugsOf(after);
  const kept = before.domain === after.domain ? new Set(slugs.map((slug) => keyOf(after, slug))) : new Set();
  const ended = slugsOf(before).filter((slug) => !kept.has(keyOf(before, slug)));
  const lost = { ...after, case_sensitive: before.case_sensitive };
  return [
    ...(isReachable || after.domain === host ? [{ row: after, domain: after.domain, slugs, isGone: false }] : []),
    { row: lost, domain: before.domain, slugs: ended, isGone: true },
  ];
}
