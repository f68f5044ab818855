import type { AccountContext } from "../../platform/context.ts";
import type { FoundRequest, RequestFilter } from "../../click-log/log/request-log.ts";
import { clickLogOf } from "../../click-log/log/stub.ts";
import type { Page } from "../../platform/http/pagination.ts";

/** The requests of the account's keys that match, the newest first; one more than the page holds, if there are more. */
export async function findRequests(
  { env, principal: { accountId } }: AccountContext,
  page: Pick<Page, "limit" | "after">,
  filter: RequestFilter,
): Promise<{ found: FoundRequest[]; leftOut: number }> {
  const found: FoundRequest[] = [];
  const log = clickLogOf(env, accountId);
  let { after } = page;
  for (;;) {
    // Each call searches few rows, so that the ClickLog stores clicks in between.
    const searched = await log.readRequests(filter, after, page.limit + 1 - found.length);
    found.push(...searched.found);
    if (found.length > page.limit || searched.next === null) return { found, leftOut: searched.leftOut };
    after = searched.next;
  }
}
