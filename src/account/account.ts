import { prepareChange } from "../audit/change.ts";
import { accessChanged } from "../auth/require-permissions.ts";
import { Batch, addCheck } from "../database/batch.ts";
import { forbidden, invalidRequest } from "../http/errors.ts";
import { toStoredDomain } from "../links/domain.ts";
import type { MemberContext } from "../sessions/session.ts";
import type { Account } from "./contract.ts";
import * as store from "./store.ts";

/** The account that the person acts for. */
export async function readAccount({ env, principal }: MemberContext): Promise<Account> {
  const account = await store.findAccount(env.DB, principal.accountId, principal.user.id);
  if (account === null) throw forbidden("You are not a member of this account.");
  return account;
}

/** Changes the name, the defaults of new links, and which mails owners get. */
export async function updateAccount(context: MemberContext, changes: store.AccountChanges): Promise<Account> {
  const { env, principal, baseUrl } = context;
  const { accountId } = principal;
  const given = changes.linkDefaults?.domain;
  const domain = given === undefined ? "" : toStoredDomain(given, baseUrl);
  if (domain !== "" && !(await store.hasVerifiedDomain(context.db, accountId, domain)))
    throw invalidRequest([{ path: "linkDefaults.domain", message: "is no verified domain of this account" }]);
  const { isAllowed, record } = prepareChange(context, "account:write");
  const batch = new Batch(env.DB);
  const check = addCheck(batch, isAllowed);
  store.updateAccount(batch, accountId, changes, isAllowed);
  record(batch, "account.update", null, isAllowed);
  await batch.commitWithRetry();
  if (check.first === undefined) throw accessChanged(principal);
  return readAccount(context);
}
