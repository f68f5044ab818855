import type { ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { canSendMail, deliverMails, prepareMail } from "../people/mail/send.ts";
import { advisorOf, unpackVerdict } from "../safety/verdict.ts";
import { MAX_NAMED_HOSTS, MAX_TOLD_HOSTS } from "./limits.ts";
import { describeReason } from "./reasons.ts";
import * as store from "./store/screening-notices.ts";

/**
 * Tells owners by mail for which hosts screening blocked links of theirs or warns of them: one mail for all links and hosts of an
 * account that were found together. Returns the number of accounts. What fails is due again when its lease ends.
 */
export async function tellOfScreening(context: ServiceContext): Promise<number> {
  const due = await store.claimDueAccounts(context);
  for (const accountId of due) {
    try {
      await tellOwners(context, accountId);
    } catch (error) {
      log("warn", "owners_not_told", { accountId, ...describeError(error) });
    }
  }
  return due.length;
}

async function tellOwners(context: ServiceContext, accountId: number): Promise<void> {
  const notices = await store.listNotices(context, accountId);
  const told = canSendMail(context) ? await store.findOwners(context.env.DB, accountId) : null;
  const opening = told === null ? "" : describe(told.name, notices);
  const owners = told?.owners ?? [];
  const mails = await Promise.all(owners.map((owner) => prepareMail(context, "links_screened", owner, null, opening)));
  await store.tellFindings(context, accountId, notices, mails);
  deliverMails(context, ...mails.map(({ id }) => id));
}

/** The host as `evil[.]dev`, so that mail programs make no link of it and filters do not refuse the mail. */
function defang(host: string): string {
  return host.replaceAll(".", "[.]");
}

function describe(account: string, notices: readonly store.ScreeningNotice[]): string {
  const named = notices.slice(0, MAX_NAMED_HOSTS).map(({ host, verdict, shortUrl }) => {
    const { state, reason } = unpackVerdict(verdict);
    const what = state === "blocked" ? "blocked" : "shown with a warning";
    // What the terms of Safe Browsing and Web Risk ask for.
    const advisory = advisorOf(verdict) === null ? "" : ". Advisory provided by Google, which may be wrong";
    return `${defang(host)} (${what} because of ${describeReason(reason)}, such as ${shortUrl}${advisory})`;
  });
  const others = notices.length - named.length;
  const more = others === 0 ? "" : ` and ${notices.length === MAX_TOLD_HOSTS ? "at least " : ""}${others} more hosts`;
  return `Screening found short links of the account “${account}” that lead to ${named.join(", ")}${more}.`;
}
