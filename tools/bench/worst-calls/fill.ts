import { hashToken } from "../../../src/platform/lib/token.ts";
import { MAX_LISTENER_BYTES, MAX_PAGE_SIZE_ITEMS, MAX_WEBHOOKS_PER_ACCOUNT } from "../../../src/limits.ts";
import { MAX_CLAIMS_PER_BROWSER } from "../../../src/links/limits.ts";
import { hashRecoveryCode } from "../../../src/identity/people/factors/codes.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "../../../src/clicks/shared-pages/limits.ts";
import { MAX_RETRIED_DELIVERIES } from "../../../src/webhooks/limits.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { insertDeliveries } from "../growth/fill.ts";
import { NOW } from "../instrumented/year.ts";
import { DESTINATION } from "../runtime.ts";
import type { Account } from "./account.ts";
import { accept, create, createHeavyLinks } from "./calls.ts";
import { PASSWORD, RECOVERY_CODE } from "./names.ts";
import { callOf } from "./requests.ts";
import { addCopies, addRows, FIRST_ID, ID, keepTables } from "./tables.ts";

// Fills what an account has besides links and clicks. Each collection has a place left, for the call that creates something.

/** Resources whose secrets are encrypted for their ids are created one by one. */
const CREATED: [operation: string, number: number][] = [
  ["POST /api/keys", 1],
  ["POST /api/utm-templates", 1],
  ["POST /api/notes", 1],
  ["POST /api/domains/add", 1],
  ["PATCH /api/domains/:id", 1],
  ["POST /api/account/views", 1],
  ["POST /api/account/mail-reports", 1],
  ["POST /api/admin/takedowns", 1],
  ["POST /api/admin/screening", 1],
  ["POST /api/listeners", 1],
  ["POST /api/webhooks", MAX_WEBHOOKS_PER_ACCOUNT - 1],
  ["POST /api/shared-pages", MAX_SHARED_PAGES_PER_ACCOUNT - 1],
];

/** What an account, a person or an operator has: a page, with what was there before, or fewer where a limit is lower. */
const [PAGE, FEW] = [MAX_PAGE_SIZE_ITEMS - 3, 8];
const EVENT_BYTES = 50_000;
const text = (chars: number) => `printf('%.*c', ${chars}, 'x')`;

/** Purposes of tokens of mails. The token of each is its name. */
const PURPOSES = [
  "verify_email",
  "confirm_email",
  "reset_password",
  "undo_email",
  "undo_factor",
  "second_step",
  "sign_in_link",
];

export async function fillAccount(account: Account): Promise<void> {
  const { ids, person } = account;
  const { db } = account.server;
  await addRows(db, "operators", 1, `'${person.userId}', 0`);
  await db.prepare("UPDATE sessions SET factor_at = confirmed_at").run();
  const [link, bulk] = [callOf("POST /api/links"), callOf("POST /api/links/bulk")];
  await accept(account, link);
  // A bulk creation is accepted, and refuses links in its response.
  for (const [path, refusals] of link.refused) bulk.refused.set(`links.*.${path}`, refusals);
  account.heavyLinks = await createHeavyLinks(account);
  for (const [operation, number] of CREATED)
    for (let n = 0; n < number; n++) {
      const { id, url = "" } = await create(account, operation);
      const path = (operation.split(" ")[1] ?? "").replace("/add", "");
      ids[`${path}/{id}`] ??= id;
      if (path === "/api/shared-pages") ids["/api/shared/{token}"] ??= url.split("/").at(-1) ?? "";
    }
  await fillPersons(account);
  await fillTables(account);
  await enterPassword(account);
  account.restore = await keepTables(db);
}

async function fillTables({ server: { db }, ids, person: { colleagueId, teamId } }: Account): Promise<void> {
  const [colleague, ofTeam] = [`'${colleagueId}'`, `account_id = ${teamId}`];
  const full = "utm_templates notes takedowns screening_rules sessions oauth_grants audit_entries operator_entries";
  for (const table of full.split(" ")) await addCopies(db, table, PAGE);
  // Their links were found long ago.
  await db.exec("DELETE FROM host_sweeps");
  await addCopies(db, "domains", PAGE, "id < 'f'");
  await addCopies(db, "users", PAGE, `id = ${colleague}`);
  await addCopies(db, "memberships", PAGE, `${ofTeam} AND user_id = ${colleague}`);
  await addCopies(db, "invitations", FEW, ofTeam);
  for (const table of ["saved_views", "mail_reports"]) await addCopies(db, table, FEW);
  await addRows(db, "takedown_accounts", PAGE, `${teamId}, ${ID}, NULL`);
  const appeal = `${ID}, ${ID}, ${teamId}, 'u', ${text(1_000)}, 0, NULL, NULL, NULL`;
  await addRows(db, "appeals", PAGE, appeal);
  const report = `${ID}, i, ${teamId}, '', 'http://tern.test/x', 'spam', ${text(1_000)}, NULL, NULL, 0, NULL, NULL, 'network-' || i`;
  await addRows(db, "reports", PAGE, report);
  const webhook = ids["/api/webhooks/{id}"] ?? "";
  await insertDeliveries(db, webhook, 1, MAX_RETRIED_DELIVERIES);
  const fail = "UPDATE deliveries SET status = 'failed', due_at = NULL WHERE webhook_id = ?1 RETURNING event_id";
  const failed = await db.prepare(fail).bind(webhook).first<string>("event_id");
  ids["/api/webhooks/{id}/deliveries/{deliveryId}"] = failed ?? "";
  const event = `'${ids["/api/listeners/{id}"]}', i * ${EVENT_BYTES}, 'event-' || i, 'link.create'`;
  const events = Math.floor(MAX_LISTENER_BYTES / EVENT_BYTES);
  await addRows(db, "listener_events", events, `${event}, ${text(EVENT_BYTES - 1_000)}, ${NOW}`);
}

/** The tokens of the person's mails, an invitation to a team of somebody else, and links to claim. */
async function fillPersons({ server: { db }, person, ids, cookies, heavyLinks }: Account): Promise<void> {
  const { userId, colleagueId } = person;
  for (const purpose of PURPOSES) {
    const email = /verify|confirm/.test(purpose) ? "new@example.com" : person.email;
    const payload = {
      email,
      name: "Ann Lee",
      passwordHash: "",
      browserHash: "",
      passkeys: [],
      totp: null,
      codes: null,
    };
    const add = db.prepare("INSERT INTO tokens VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)");
    const subject = purpose === "verify_email" ? email : userId;
    await add.bind(await hashToken(purpose), purpose, subject, JSON.stringify(payload), NOW, 2 * NOW).run();
  }
  await addRows(db, "recovery_codes", 1, `'${await hashRecoveryCode(RECOVERY_CODE)}', '${userId}', 0, NULL`);
  await addRows(db, "accounts (uuid, name, created_at)", 1, `'${FIRST_ID}', 'Other', 0`);
  const other = `accounts WHERE uuid = '${FIRST_ID}'`;
  await addRows(db, "memberships", 1, `id, '${colleagueId}', 'owner', 0`, other);
  const invitation = `'x', id, '${person.email}', '${person.email}', 'member', '${await hashToken("invitation")}'`;
  await addRows(db, "invitations", 1, `${invitation}, NULL, 0, 2 * ${NOW}, NULL`, other);
  await insertLinks(db, { prefix: "claim-", first: 1, last: MAX_CLAIMS_PER_BROWSER, url: DESTINATION });
  const claim = `seq, id, '${await hashToken("claims")}', 0`;
  await addRows(db, "link_claims (link_seq, link_id, hash, created_at)", 1, claim, "links WHERE slug GLOB 'claim-*'");
  const [link = ""] = heavyLinks;
  const icon = `id, seq, account_id, 9e12, url_hash, 'working', 'icons.dev', 200, ${NOW}`;
  const columns =
    "link_id, link_seq, account_id, due_at, visited_hash, outcome, final_host, response_status, checked_at";
  await addRows(db, `destinations (${columns})`, 1, icon, `links WHERE id = '${link}'`);
  Object.assign(cookies, { "tern-second-step": "second_step", "tern-claims": "claims" });
  Object.assign(ids, {
    "/api/teams/{id}": person.team,
    "/api/teams/{id}/members/{userId}": colleagueId,
    "/api/auth/passkeys/{id}": person.passkeyId,
    "/api/account/icons/{id}": link,
    "/api/deep-links/links/{id}": link,
  });
}

/** The person's browser gets the cookie of the first shared page. */
async function enterPassword({ ids, cookies, send }: Account): Promise<void> {
  const path = `/api/shared/${ids["/api/shared/{token}"]}/password`;
  const body = JSON.stringify({ password: PASSWORD });
  const { headers } = await send({ method: "POST", path, body, key: null });
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(String(headers["set-cookie"])) ?? [];
  cookies[name] = value;
}
