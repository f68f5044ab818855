import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { COPIED_TABLES, SMALL_TABLES } from "../../src/account-move/store/tables.ts";

/** What the core keeps of each account, whichever database has its links. */
const IN_CORE = [
  "access_to_end",
  "account_copies",
  "account_moves",
  "account_usage",
  "api_keys",
  "appeals",
  "arriving_accounts",
  "departing_accounts",
  "departing_changes",
  "invitations",
  "link_claims",
  "mail_reports",
  "memberships",
  "moved_accounts",
  "oauth_grants",
  "reports",
  "screening_notices",
  "takedown_accounts",
];

it("moves each table that names an account or a webhook, unless it is in the core", () => {
  const named = [...env.SCHEMA.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)\n\) STRICT/gm)]
    .filter(([, , columns = ""]) => /^ {2}(account_id|webhook_id|listener_id|event_id) /m.test(columns))
    .map(([, name = ""]) => name);
  const moved = [...COPIED_TABLES, ...SMALL_TABLES].flatMap(({ name, companions = [] }) =>
    [name].concat(companions.map((each) => each.name)),
  );
  expect([...new Set([...moved, ...IN_CORE])].toSorted()).toEqual(named.toSorted());
});

it("finds what is in the way of copied rows by an index", async () => {
  for (const { name, inTheWay = [] } of COPIED_TABLES)
    for (const condition of inTheWay) {
      const sql = `EXPLAIN QUERY PLAN DELETE FROM ${name} WHERE ${condition}`;
      const { results } = await env.DB.prepare(sql).bind("[]", 1).all<{ detail: string }>();
      expect(results.map(({ detail }) => detail).join("\n")).toMatch(new RegExp(`^SEARCH ${name} USING`));
    }
});
