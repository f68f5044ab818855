import { readClickSums } from "../analytics/read-clicks.ts";
import type { ClicksQuery } from "../analytics/query-contract.ts";
import { notFound, passwordRequired, rateLimited } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { tagOf } from "../../platform/lib/password-tag.ts";
import { checkRateLimit } from "../../platform/rate-limit/rate-limit.ts";
import { hasPasswordCookie } from "../../redirect/password/password-cookie.ts";
import { findViewedPage, replaceSecret, type ViewedRow } from "./store/viewed-page.ts";
import { hashGivenToken, resealToken } from "./token.ts";
import type { SharedClicks, ViewedPage } from "./viewer-contract.ts";
import type { CallContext } from "../../platform/context.ts";
import { SHARED_CLICK_QUERIES_PER_ACCOUNT } from "./limits.ts";

// What viewers read of a shared page. They need no account: the token and the cookie of the password decide.

/** Returns the page that the token opens. Throws the same 404 for every token that opens none. */
export async function findPage({ db, baseUrl }: CallContext, token: string): Promise<ViewedRow> {
  const hash = await hashGivenToken(token);
  const page = hash === null ? null : await findViewedPage(db, hash, new URL(baseUrl).origin);
  if (page === null) throw notFound("not_found", { resource: "shared_page" });
  return page;
}

/** Returns the page that the token opens for this viewer. Throws 401 without the cookie of its password. */
async function openPage(context: CallContext, request: Request, token: string): Promise<ViewedRow> {
  const row = await findPage(context, token);
  const { id, password_hash: hash } = row;
  if (hash === null) return row;
  const page = { id, passwordTag: tagOf(hash) };
  if (await hasPasswordCookie(context.env, request, page, context.now)) return row;
  throw passwordRequired("This page is password-protected. Enter its password first.");
}

export async function viewPage(context: CallContext, request: Request, token: string): Promise<ViewedPage> {
  const row = await openPage(context, request, token);
  context.waitUntil(useFirstKey(context, row, token));
  const { title, short_url: shortUrl, tag, url, show_destination } = row;
  return { title, shortUrl, tag, destination: show_destination === 1 ? url : null };
}

/** Encrypts a token that was encrypted with an older key with the first one. */
async function useFirstKey({ env, db, requestId }: CallContext, row: ViewedRow, token: string): Promise<void> {
  try {
    const sealed = await resealToken(env.ENCRYPTION_KEYS, row, token);
    if (sealed !== null) await replaceSecret(db, row.id, "token", row.token, sealed);
  } catch (error) {
    log("warn", "shared_page_reseal_failed", { requestId, sharedPageId: row.id, ...describeError(error) });
  }
}

/** The totals of a period, the same numbers as for the account. */
export async function readSharedClicks(
  context: CallContext,
  request: Request,
  token: string,
  query: ClicksQuery,
): Promise<SharedClicks> {
  const row = await openPage(context, request, token);
  const { account_id: accountId, link_id: linkId, tag } = row;
  await countQuery(context, accountId);
  const { env, db, now, baseUrl } = context;
  const selection = tag === null ? {} : { tag: [tag] };
  const account = { env, db, now, baseUrl, principal: { accountId } };
  const { links, ...sums } = await readClickSums(account, linkId, { ...query, ...selection });
  return { ...sums, ...(links !== undefined && { links: links.map(withoutId) }) };
}

type LinkCount = NonNullable<SharedClicks["links"]>[number];

/** Names the link by its slug. A link that was deleted during the query has none. */
function withoutId({ clicks, shortUrl }: LinkCount): LinkCount {
  return { value: shortUrl === null ? "" : new URL(shortUrl).pathname.slice(1), clicks, shortUrl };
}

/** Throws 429 if the viewers of the account's pages send too many queries. If the limiter fails, they may. */
async function countQuery({ env, requestId }: CallContext, accountId: number): Promise<void> {
  const limit = SHARED_CLICK_QUERIES_PER_ACCOUNT;
  const name = `shared pages of account ${accountId}`;
  // Without penalties: they would punish the other viewers.
  const status = await checkRateLimit(env, { requestId, name, operation: "shared clicks", limit, penalties: false });
  if (status === null || status.allowed) return;
  const { waitSeconds, remaining } = status;
  throw rateLimited(fault("", "too_many_viewers"), waitSeconds, { limit, remaining });
}
