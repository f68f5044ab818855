import { MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import { MAX_SCREENING_ENTRIES, MAX_SCREENING_FILES, MAX_STATEMENT_CHARS } from "../../../src/admin/limits.ts";
import { MAX_DETAILS_CHARS, MAX_OPEN_REPORTS } from "../../../src/reports/limits.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import { fill, personCall, type PersonAsk } from "./person.ts";

// What operators of the service do.

const ID = "format('01920b5c-7d6a-7c3e-9b1f-%012x', i)";

/** The person is an operator who gave a second factor in the session. */
async function beOperator({ server, person }: FilledAccount): Promise<void> {
  await server.db.prepare("INSERT OR IGNORE INTO operators VALUES (?1, 0)").bind(person.userId).run();
  await server.db.prepare("UPDATE sessions SET factor_at = confirmed_at WHERE id = ?1").bind(person.sessionId).run();
}

async function fillTakedowns(account: FilledAccount): Promise<void> {
  await beOperator(account);
  const values = `${ID}, 'link', i, 'http://tern.test/' || i, 0, 0, NULL, 0, '${account.person.userId}', 1, '${account.person.userId}', 0`;
  await fill(account, "takedowns", values, MAX_PAGE_SIZE_ITEMS + 1);
}

/** A takedown of the team's account that is in force; returns its id. */
async function takeDown(account: FilledAccount): Promise<string> {
  await beOperator(account);
  const { userId, team, teamId } = account.person;
  const id = "01920b5c-7d6a-7c3e-9b1f-0000ffffffff";
  for (const table of ["appeals", "takedown_accounts"]) await account.server.db.prepare(`DELETE FROM ${table}`).run();
  await account.server.db
    .prepare("INSERT OR REPLACE INTO takedowns VALUES (?1, 'account', ?2, ?3, 0, NULL, NULL, 0, ?4, NULL, NULL, 0)")
    .bind(id, String(teamId), team, userId)
    .run();
  await account.server.db.prepare("INSERT INTO takedown_accounts VALUES (?1, ?2, NULL)").bind(teamId, id).run();
  return id;
}

/** The rule with the highest number, which is a list file. */
const RULE = `01920b5c-7d6a-7c3e-9b1f-${(MAX_SCREENING_ENTRIES - 1 + MAX_SCREENING_FILES).toString(16).padStart(12, "0")}`;

/** As many entries as leave room for one, and all list files. */
async function fillRules(account: FilledAccount): Promise<void> {
  await beOperator(account);
  await account.server.db.prepare("DELETE FROM screening_rules WHERE value = 'evil.dev'").run();
  const last = MAX_SCREENING_ENTRIES - 1;
  const values = `${ID}, iif(i > ${last}, 'hosts', 'entry'), 'https://lists.example/' || i, 'url lists.example/' || i,
    'block', 'spam', NULL, 0, '${account.person.userId}'`;
  await fill(account, "screening_rules", values, last + MAX_SCREENING_FILES);
}

const FIRST_ID = "01920b5c-7d6a-7c3e-9b1f-000000000001";

/** Open reports of one link of the team's account, as many as can be open. */
async function fillReports(account: FilledAccount): Promise<void> {
  await beOperator(account);
  await account.server.db.prepare("DELETE FROM reports").run();
  const details = "printf('%.*c', " + MAX_DETAILS_CHARS + ", 'x')";
  const values = `${ID}, 'link', ${account.person.teamId}, '', 'http://tern.test/x', 'spam', ${details}, NULL, NULL, 0, NULL, NULL`;
  await fill(account, "reports", values, MAX_OPEN_REPORTS);
}

/** Takedowns of the team's account, each with an appeal. */
async function fillAppeals(account: FilledAccount): Promise<void> {
  await fillTakedowns(account);
  const { teamId } = account.person;
  await account.server.db
    .prepare("INSERT OR IGNORE INTO takedown_accounts SELECT ?1, id, NULL FROM takedowns")
    .bind(teamId)
    .run();
  await account.server.db.prepare("DELETE FROM appeals").run();
  const values = `${ID}, ${ID}, ${teamId}, 'u', printf('%.*c', ${MAX_STATEMENT_CHARS}, 'x'), 0, NULL, NULL, NULL`;
  await fill(account, "appeals", values, MAX_PAGE_SIZE_ITEMS + 1);
}

async function appeal({ server, person }: FilledAccount, takedownId: string): Promise<void> {
  await server.db.prepare("DELETE FROM appeals").run();
  await server.db
    .prepare("INSERT INTO appeals VALUES (?1, ?2, ?3, 'u', 's', 0, NULL, NULL, NULL)")
    .bind(FIRST_ID, takedownId, person.teamId)
    .run();
}

const TAKEN_DOWN_LINKS = 1_000;
/** The links of the account have smaller numbers. */
const FIRST_TAKEN_DOWN_LINK = 1_000_000_000;

const PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}`;
const get = (path: string): PersonAsk => ({ method: "GET", path });

export const adminCalls = {
  "POST /api/admin/takedowns": [
    personCall("an account, with the mail to its owner", async (account) => {
      await beOperator(account);
      for (const table of ["appeals", "takedown_accounts", "host_sweeps", "takedowns"])
        await account.server.db.prepare(`DELETE FROM ${table}`).run();
      const statement = randomText(MAX_STATEMENT_CHARS);
      const body = { kind: "account", value: account.person.team, reason: "phishing", statement };
      return { method: "POST", path: "/api/admin/takedowns", body };
    }),
    personCall(
      `a host with ${TAKEN_DOWN_LINKS.toLocaleString("en")} links, and the search for them`,
      async (account, n) => {
        await beOperator(account);
        const host = `evil-${n}.dev`;
        const first = FIRST_TAKEN_DOWN_LINK + n * TAKEN_DOWN_LINKS;
        const last = first + TAKEN_DOWN_LINKS - 1;
        await insertLinks(account.server.db, { prefix: "evil", first, last, url: `https://${host}/login` });
        return {
          method: "POST",
          path: "/api/admin/takedowns",
          body: { kind: "host", value: host, reason: "phishing" },
        };
      },
    ),
  ],
  "GET /api/admin/takedowns": [
    personCall("a page of 100 takedowns", async (account) => {
      await fillTakedowns(account);
      return get(`/api/admin/takedowns?${PAGE}`);
    }),
  ],
  "DELETE /api/admin/takedowns/:id": [
    personCall("a takedown of an account, with the mail to its owner", async (account) => ({
      method: "DELETE",
      path: `/api/admin/takedowns/${await takeDown(account)}`,
    })),
  ],
  "POST /api/admin/screening": [
    personCall("one of 1,000 entries, which the Screener reads anew", async (account) => {
      await fillRules(account);
      return { method: "POST", path: "/api/admin/screening", body: { kind: "entry", value: "evil.dev" } };
    }),
  ],
  "GET /api/admin/screening": [
    personCall("a page of 90 entries and ten list files", async (account) => {
      await fillRules(account);
      return get(`/api/admin/screening?${PAGE}`);
    }),
  ],
  "DELETE /api/admin/screening/:id": [
    personCall("one of ten list files, with 999 entries", async (account) => {
      await fillRules(account);
      return { method: "DELETE", path: `/api/admin/screening/${RULE}` };
    }),
  ],
  "GET /api/admin/reports": [
    personCall("a page of 100 reports of one link", async (account) => {
      await fillReports(account);
      return get(`/api/admin/reports?${PAGE}`);
    }),
  ],
  "POST /api/admin/reports/:id/decision": [
    personCall("a takedown of an account with all open reports, with the mail to its owner", async (account) => {
      await fillReports(account);
      for (const table of ["appeals", "takedown_accounts", "host_sweeps", "takedowns"])
        await account.server.db.prepare(`DELETE FROM ${table}`).run();
      const statement = randomText(MAX_STATEMENT_CHARS);
      const body = { action: "take_down", kind: "account", reason: "phishing", statement };
      return { method: "POST", path: `/api/admin/reports/${FIRST_ID}/decision`, body };
    }),
  ],
  "GET /api/admin/appeals": [
    personCall("a page of 100 appeals", async (account) => {
      await fillAppeals(account);
      return get(`/api/admin/appeals?${PAGE}`);
    }),
  ],
  "POST /api/admin/appeals/:id/decision": [
    personCall("a reversal of the takedown of an account, with the mail to its owner", async (account) => {
      await appeal(account, await takeDown(account));
      const body = { action: "reverse", answer: randomText(MAX_STATEMENT_CHARS) };
      return { method: "POST", path: `/api/admin/appeals/${FIRST_ID}/decision`, body };
    }),
  ],
  "GET /api/account/takedowns": [
    personCall("a page of 100 takedowns with appeals", async (account) => {
      await fillAppeals(account);
      return { ...get(`/api/account/takedowns?${PAGE}`), account: account.person.team };
    }),
  ],
  "POST /api/account/takedowns/:id/appeal": [
    personCall("with the mail to the operators", async (account) => {
      const id = await takeDown(account);
      await account.server.db.prepare("DELETE FROM appeals").run();
      const body = { statement: randomText(MAX_STATEMENT_CHARS) };
      return { method: "POST", path: `/api/account/takedowns/${id}/appeal`, body, account: account.person.team };
    }),
  ],
  "GET /api/admin/audit": [
    personCall("a page of 100 entries", async (account) => {
      await beOperator(account);
      const values = `${ID}, '${account.person.userId}', 'takedown.create', 'http://tern.test/' || i, '{}', NULL, 0`;
      await fill(account, "operator_entries", values, MAX_PAGE_SIZE_ITEMS + 1);
      return get(`/api/admin/audit?${PAGE}`);
    }),
  ],
  "POST /api/admin/accounts": [
    personCall("an account with the mail to its owner", async (account, n) => {
      await beOperator(account);
      return { method: "POST", path: "/api/admin/accounts", body: { name: "Acme", email: `owner-${n}@example.com` } };
    }),
  ],
  "GET /api/admin/accounts": [
    personCall("all accounts whose owner has the beginning of an address", async (account) => {
      await beOperator(account);
      return get(`/api/admin/accounts?search=worst&${PAGE}`);
    }),
  ],
  "GET /api/admin/links": [
    personCall("a text that no link has", async (account) => {
      await beOperator(account);
      return get(`/api/admin/links?search=nowhere.invalid&${PAGE}`);
    }),
  ],
  "GET /api/admin/hosts": [
    personCall("of the newest links", async (account) => {
      await beOperator(account);
      return get("/api/admin/hosts");
    }),
  ],
  "GET /api/admin/status": [
    personCall("with ten list files", async (account) => {
      await fillRules(account);
      return get("/api/admin/status");
    }),
  ],
};
