import { MAX_DOMAINS_PER_ACCOUNT, MAX_UTM_TEMPLATES_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT } from "../../src/limits.ts";
import { MAX_OWN_REPORTS, MAX_REPORTS_PER_ACCOUNT } from "../../src/mail-reports/limits.ts";
import { MAX_NOTES_PER_ACCOUNT } from "../../src/notes/limits.ts";
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS } from "../../src/saved-views/limits.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "../../src/shared-pages/limits.ts";
import { copyOf, keepAll, type FilledAccount } from "./account.ts";
import { accept, create, createHeavyLinks } from "./calls.ts";
import { HINTS } from "./hints.ts";
import { callOf } from "./requests.ts";

/** Collections whose rows are copied until they are full but for one: how many there are, and which columns differ. */
const COPIES: [operation: string, table: string, rows: number, changed: Record<string, string>][] = [
  ["POST /api/utm-templates", "utm_templates", MAX_UTM_TEMPLATES_PER_ACCOUNT - 1, { name_key: "i" }],
  ["POST /api/notes", "notes", MAX_NOTES_PER_ACCOUNT - 1, {}],
];

/** Fills what an account has besides links, by the calls that create it. */
export async function fillCollections(account: FilledAccount): Promise<void> {
  const { person } = account;
  const { db } = account.server;
  const [link, bulk] = [callOf("POST /api/links"), callOf("POST /api/links/bulk")];
  await accept(account, link);
  // A bulk creation is accepted, and refuses links in its response.
  for (const [path, refusals] of link.refused) bulk.refused.set(`links.*.${path}`, refusals);
  account.heavyLinks = await createHeavyLinks(account);
  const ofPerson = (own: number, other: string) => `iif(i < ${own}, '${person.userId}', '${other}')`;
  const views = MAX_OWN_VIEWS + MAX_SHARED_VIEWS - 2;
  for (const [operation, table, rows, changed] of [
    ...COPIES,
    ["POST /api/domains/add", "domains", MAX_DOMAINS_PER_ACCOUNT - 2, { domain: "'filled-' || i || '.acme.com'" }],
    ["POST /api/account/views", "saved_views", views, { name_key: "i", user_id: ofPerson(MAX_OWN_VIEWS, "") }],
    [
      "POST /api/account/mail-reports",
      "mail_reports",
      MAX_REPORTS_PER_ACCOUNT - 1,
      { tag_key: "i", user_id: ofPerson(MAX_OWN_REPORTS, person.colleagueId) },
    ],
  ] as typeof COPIES) {
    const { id } = await create(account, operation);
    if (table === "domains") {
      const hint = await HINTS["PATCH /api/domains/:id"]?.(account, 0);
      await accept(account, callOf("PATCH /api/domains/:id"), { ...hint, id });
    }
    await db.batch([
      db.prepare(copyOf(account, table, `id = '${id}'`, rows, changed)),
      db.prepare(`DELETE FROM ${table} WHERE id = '${id}'`),
    ]);
  }
  for (let n = 1; n < MAX_WEBHOOKS_PER_ACCOUNT; n++) {
    // Only one of them gets the events of all links.
    const filters = n === 1 ? { linkIds: undefined, tags: undefined } : {};
    await accept(account, callOf("POST /api/webhooks"), {
      fields: { url: `https://hooks-${n}.tern-receiver.com/hooks`, ...filters },
    });
  }
  // The token of a shared page is encrypted for its id.
  for (let n = 1; n < MAX_SHARED_PAGES_PER_ACCOUNT; n++) await accept(account, callOf("POST /api/shared-pages"));
  await keepAll(account);
}
