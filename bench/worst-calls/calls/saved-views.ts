import { MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import {
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  MAX_VIEW_NAME_CHARS,
  MAX_VIEW_QUERY_CHARS,
} from "../../../src/saved-views/limits.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import { personCall } from "./person.ts";

// The views that a person saves, in the filled account.

const PATH = "/api/account/views";

const longView = (): { name: string; query: string } => ({
  name: randomText(MAX_VIEW_NAME_CHARS),
  query: randomText(MAX_VIEW_QUERY_CHARS),
});

/** The person's views and the shared ones up to their maxima, without one place for an own one. Returns the id of an own one. */
async function fillViews({ server, accountId, person }: FilledAccount): Promise<string> {
  await server.db.prepare("DELETE FROM saved_views WHERE account_id = ?1").bind(accountId).run();
  const { query } = longView();
  for (const [userId, amount] of [
    [person.userId, MAX_OWN_VIEWS - 1],
    ["", MAX_SHARED_VIEWS],
  ] as const)
    await server.db
      .prepare(
        `INSERT INTO saved_views (id, account_id, user_id, kind, name, name_key, query, created_at, updated_at)
         SELECT format('01920b5c-7d6a-7c3e-%s-%012x', iif(?2 = '', '9b1f', '9b1e'), value), ?1, ?2, 'links', value, value, ?3, 0, 0
         FROM json_each(?4)`,
      )
      .bind(accountId, userId, query, JSON.stringify(Array.from({ length: amount }, (_, n) => n)))
      .run();
  return "01920b5c-7d6a-7c3e-9b1e-000000000001";
}

const viewCall = (what: string, method: string, body?: () => object): WorstCall =>
  personCall(what, async (account) => {
    const id = await fillViews(account);
    return {
      method,
      path: method === "GET" ? `${PATH}?limit=${MAX_PAGE_SIZE_ITEMS}` : method === "POST" ? PATH : `${PATH}/${id}`,
      account: account.person.team,
      ...(body !== undefined && { body: body() }),
    };
  });

export const savedViewCalls = {
  "POST /api/account/views": [viewCall("the last view", "POST", () => ({ kind: "links", ...longView() }))],
  "GET /api/account/views": [viewCall("all views", "GET")],
  "PATCH /api/account/views/:id": [viewCall("a long name and filter", "PATCH", longView)],
  "DELETE /api/account/views/:id": [viewCall("a view of many", "DELETE")],
} satisfies Record<string, WorstCall[]>;
