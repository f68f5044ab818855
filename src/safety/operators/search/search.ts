import { notFound } from "../../../platform/http/errors.ts";
import { encodeCursor, toPage, type Page } from "../../../platform/http/pagination.ts";
import { isId } from "../../../platform/lib/uuid.ts";
import { hostOf } from "../../../platform/lib/host-of.ts";
import { ALL_LINKS } from "../../../links/list-filter.ts";
import { listLinks } from "../../../links/store/list.ts";
import type { LinkRow } from "../../../links/store/row.ts";
import { listTakenDownHosts } from "../../../redirect/lookup/store/taken-down-hosts.ts";
import { coveringHost } from "../../../redirect/lookup/covering-host.ts";
import { unpackVerdict } from "../../../redirect/verdict.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { findNamedLink } from "../../takedowns/named-link.ts";
import { MAX_GROUPED_LINKS } from "../../limits.ts";
import { findAccount } from "../../takedowns/store/takedowns.ts";
import type { FoundAccount, FoundHost, FoundLink } from "./contract.ts";
import * as store from "./store.ts";

/** A page of a list, as the response has it. */
interface Found<T> {
  items: T[];
  nextCursor: string | null;
}

export const SEARCH_ORDERS = { accounts: "found-accounts", links: "found-links", hosts: "found-hosts" };

/** The accounts with this id, or of persons whose address begins with the text; without a text all of them. */
export async function findAccounts(
  { db, now }: SessionContext,
  search: string | undefined,
  page: Page,
): Promise<Found<FoundAccount>> {
  const rows = await store.listAccounts(db, search?.toLowerCase() ?? null, page, now);
  const { items, nextCursor } = toPage(rows, page, SEARCH_ORDERS.accounts, ({ id }) => String(id));
  return { items: items.map(toFoundAccount), nextCursor };
}

function toFoundAccount(row: store.AccountRow): FoundAccount {
  return {
    id: row.uuid,
    name: row.name,
    kind: row.is_personal === 1 ? "personal" : "team",
    owners: JSON.parse(row.owners) as string[],
    invited: row.invited,
    links: row.links,
    isTrusted: row.is_trusted === 1,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    deletedAt: row.deleted_at,
    takedownId: row.takedown_id,
  };
}

interface LinkQuery {
  search?: string | undefined;
  accountId?: string | undefined;
}

/** Links of any accounts, newest first. Throws a 404 if there is no such account. */
export async function findLinks(
  context: SessionContext,
  { search, accountId }: LinkQuery,
  page: Page,
): Promise<Found<FoundLink>> {
  if (accountId !== undefined) return findLinksOf(context, accountId, search, page);
  const exact = search === undefined || page.after !== null ? null : await findExact(context, search);
  if (exact !== null) return { items: [exact], nextCursor: null };
  const { rows, last } = await store.searchLinks(context.db, search ?? "", page.after, page.limit);
  const nextCursor = last === null ? null : encodeCursor(last, SEARCH_ORDERS.links);
  return { items: rows.map((row) => toFoundLink(context, row)), nextCursor };
}

/** The links of the account, by its indexes. */
async function findLinksOf(
  context: SessionContext,
  accountUuid: string,
  search: string | undefined,
  page: Page,
): Promise<Found<FoundLink>> {
  const { db } = context;
  const account = await findAccount(db, accountUuid);
  if (account === null) throw notFound("not_found", { resource: "account" });
  const ofAccount = { ...context, principal: { accountId: account.id } };
  const order = { sort: "createdAt", order: "desc" } as const;
  const { rows } = await listLinks(ofAccount, { ...ALL_LINKS, search }, order, page, false);
  const { items, nextCursor } = toPage(rows, page, SEARCH_ORDERS.links, ({ id }) => id);
  return { items: items.map((row) => toFoundLink(context, toFoundRow(row, account.uuid))), nextCursor };
}

function toFoundRow(row: LinkRow, accountUuid: string | null): store.FoundRow {
  return { ...row, account_uuid: accountUuid, has_password: row.password_hash === null ? 0 : 1 };
}

/** The link with this id or short URL. */
async function findExact(context: SessionContext, search: string): Promise<FoundLink | null> {
  const { db, env, baseUrl } = context;
  const bare = search.replace(/^https?:\/\//i, "");
  const url = /^[^\s/]+\/+[^\s/]+$/.test(bare) ? URL.parse(`https://${bare}`) : null;
  const isPath = url !== null && url.pathname !== "/";
  const found = isId(search.toLowerCase()) || isPath ? await findNamedLink(env, search, baseUrl) : null;
  const row = found === null ? null : await store.findRow(db, found.id);
  return row === null ? null : toFoundLink(context, row);
}

function toFoundLink({ baseUrl }: SessionContext, row: store.FoundRow): FoundLink {
  return {
    id: row.id,
    shortUrl: `${row.domain === "" ? baseUrl : `https://${row.domain}`}/${row.slug}`,
    destination: row.url,
    title: row.title,
    hasPassword: row.has_password === 1,
    accountId: row.account_uuid,
    verdict: unpackVerdict(row.verdict),
    clicks: row.clicks,
    createdAt: row.created_at,
  };
}

/** The hosts of one piece of links, those with most links first. */
export async function findHosts(db: D1Database, search: string | undefined, page: Page): Promise<Found<FoundHost>> {
  const text = search?.toLowerCase() ?? "";
  const { rows, last } = await store.searchLinks(db, text, page.after, MAX_GROUPED_LINKS);
  const takenDown = new Map((await listTakenDownHosts(db)).map((each) => [each.host, each]));
  const byHost = Map.groupBy(rows, ({ url }) => hostOf(url));
  const items = [...byHost]
    .filter(([host]) => host !== "" && host.includes(text))
    .map(([host, links]) => toFoundHost(host, links, coveringHost(takenDown, host)?.id ?? null));
  return {
    items: items.toSorted((a, b) => b.links - a.links || a.host.localeCompare(b.host)),
    nextCursor: last === null ? null : encodeCursor(last, SEARCH_ORDERS.hosts),
  };
}

function toFoundHost(host: string, rows: readonly store.FoundRow[], takedownId: string | null): FoundHost {
  const accounts = new Set(rows.flatMap((row) => row.account_uuid ?? []));
  return {
    host,
    links: rows.length,
    accounts: accounts.size,
    linksWithoutAccount: rows.filter((row) => row.account_uuid === null).length,
    newestAt: Math.max(...rows.map((row) => row.created_at)),
    takedownId,
  };
}
