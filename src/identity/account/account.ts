import { prepareChange } from "../../access/audit/change.ts";
import type { TargetState } from "../../access/audit/store/target-state.ts";
import { requireConfirmedFor } from "../../platform/auth/confirmed-operations.ts";
import { accessChanged } from "../../platform/auth/require-permissions.ts";
import { applyRetention, expectRetentionChange } from "../../click-log/log/stub.ts";
import { retentionBounds, retentionDays } from "../../click-log/retention-days.ts";
import { DAY_MS } from "../../limits.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { forbidden, invalidField } from "../../platform/http/errors.ts";
import { toStoredDomain } from "../../links/domain.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import type { Account, ClickRetention } from "./contract.ts";
import * as store from "./store/account.ts";

/** The account that the person acts for. */
export async function readAccount({ env, db, principal, now }: MemberContext): Promise<Account> {
  const account = await store.findAccount(db, principal.accountId, principal.user.id);
  if (account === null) throw forbidden("not_a_member");
  return { ...account, clickRetention: describeRetention(account.clickRetentionDays, env, now) };
}

/** Changes the name, the defaults of new links, which mails owners get, and for how many days single clicks are kept. */
export async function updateAccount(context: MemberContext, changes: store.AccountChanges): Promise<Account> {
  const { db, principal, baseUrl } = context;
  const { accountId } = principal;
  const given = changes.linkDefaults?.domain;
  const domain = given === undefined ? "" : toStoredDomain(given, baseUrl);
  if (domain !== "" && !(await store.hasVerifiedDomain(context.db, accountId, domain)))
    throw invalidField("linkDefaults.domain", "unknown", { resource: "verified_domain" });
  const retention = await prepareRetention(context, changes.clickRetentionDays);
  const { isAllowed, record } = prepareChange(context, "account:write");
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  store.updateAccount(batch, accountId, changes, isAllowed);
  record(batch, "account.update", null, isAllowed, retention?.after, retention?.before);
  await batch.commitWithRetry();
  if (check.first === undefined) throw accessChanged(principal);
  if (retention !== null) await applyRetention(context);
  return readAccount(context);
}

/** What the audit log says of a change of the retention; null: it stays. Tells the ClickLog to expect the change. */
async function prepareRetention(
  context: MemberContext,
  chosen: number | null | undefined,
): Promise<Record<"before" | "after", TargetState> | null> {
  if (chosen === undefined) return null;
  const { clickRetentionDays: before } = await readAccount(context);
  requireRetention(context, before, chosen);
  if (chosen === before) return null;
  await expectRetentionChange(context);
  return { before: { clickRetentionDays: before }, after: { clickRetentionDays: chosen } };
}

/** How long single clicks are kept. `chosen` is what the account chose, in days; null: nothing. */
function describeRetention(chosen: number | null, env: Env, now: number): ClickRetention {
  const { least, most } = retentionBounds(env);
  const days = retentionDays(chosen, env);
  return {
    days,
    minDays: least,
    maxDays: most,
    defaultDays: retentionDays(null, env),
    keptFrom: (Math.floor(now / DAY_MS) - days) * DAY_MS,
  };
}

/** Throws 400 if the operator does not allow the choice, and 403 if it deletes clicks and the identity is not confirmed. */
function requireRetention(context: MemberContext, before: number | null, chosen: number | null): void {
  const { env } = context;
  const { least, most } = retentionBounds(env);
  if (chosen !== null && (chosen < least || chosen > most))
    throw invalidField("clickRetentionDays", "retention_out_of_range", { min: least, max: most });
  if (retentionDays(chosen, env) < retentionDays(before, env)) requireConfirmedFor("PATCH /api/account", context);
}
