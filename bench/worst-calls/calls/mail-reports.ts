import { MAX_OWN_REPORTS, MAX_REPORTS_PER_ACCOUNT } from "../../../src/mail-reports/limits.ts";
import { stopUrl } from "../../../src/mail-reports/stop.ts";
import { BINDINGS } from "../../runtime.ts";
import type { FilledAccount } from "../account.ts";
import type { WorstCall } from "./call.ts";
import { personCall } from "./person.ts";

// The reports that a person gets by mail, in the filled account.

const PATH = "/api/account/mail-reports";
const ID = "01920b5c-7d6a-7c3e-9b1e-000000000001";

/** The reports of the account up to its maximum, without one place for one of the person. */
async function fillReports({ server, accountId, person }: FilledAccount): Promise<void> {
  const amount = MAX_REPORTS_PER_ACCOUNT - 1;
  await server.db.prepare("DELETE FROM mail_reports WHERE account_id = ?1").bind(accountId).run();
  await server.db
    .prepare(
      `INSERT OR IGNORE INTO users (id, email, email_key, name, created_at) VALUES ('reader', 'reader', 'reader', 'reader', 0)`,
    )
    .run();
  await server.db
    .prepare(
      `INSERT INTO mail_reports SELECT format('01920b5c-7d6a-7c3e-9b1e-%012x', value), ?1, iif(value < ?3, ?2, 'reader'), 'monthly', 'UTC',
         value, NULL, '', 1e15, 1e15, 0 FROM json_each(?4)`,
    )
    .bind(accountId, person.userId, MAX_OWN_REPORTS - 1, JSON.stringify(Array.from({ length: amount }, (_, n) => n)))
    .run();
}

const reportCall = (what: string, method: string, path = "", body?: object): WorstCall =>
  personCall(what, async (account) => {
    await fillReports(account);
    return { method, path: PATH + path, account: account.person.team, ...(body !== undefined && { body }) };
  });

const stopCall = (what: string, method: string): WorstCall => ({
  what,
  prepare: async (account) => {
    await fillReports(account);
    return { method, path: await stopUrl(BINDINGS, "", ID), key: null };
  },
});

const WEEKLY = { frequency: "weekly", timezone: "Europe/Berlin" };

export const mailReportCalls = {
  "POST /api/account/mail-reports": [reportCall("the last report", "POST", "", WEEKLY)],
  "GET /api/account/mail-reports": [reportCall("all reports", "GET")],
  "PATCH /api/account/mail-reports/:id": [reportCall("how often", "PATCH", `/${ID}`, WEEKLY)],
  "DELETE /api/account/mail-reports/:id": [reportCall("a report of many", "DELETE", `/${ID}`)],
  "GET /api/account/mail-reports/stop": [stopCall("the page", "GET")],
  "POST /api/account/mail-reports/stop": [stopCall("a report of many", "POST")],
} satisfies Record<string, WorstCall[]>;
