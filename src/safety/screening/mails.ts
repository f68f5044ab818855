import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { findOwners } from "../../platform/mail/store.ts";
import { canSendMail, deliverMails, prepareMail } from "../../platform/mail/send.ts";
import type { MailTexts } from "../../platform/mail/texts/en.ts";
import { isAdvisory, unpackVerdict } from "../../redirect/verdict.ts";
import { MAX_NAMED_HOSTS, MAX_TOLD_HOSTS } from "../limits.ts";
import * as store from "./store/notices.ts";

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
  const told = canSendMail(context) ? await findOwners(context.db, accountId, () => "a.deleted_at IS NULL") : null;
  const opening = (texts: MailTexts) => describe(told?.name ?? "", notices, texts);
  const owners = told?.owners ?? [];
  const mails = await Promise.all(owners.map((owner) => prepareMail(context, "links_screened", owner, { opening })));
  await store.tellFindings(context, accountId, notices, mails);
  deliverMails(context, ...mails.map(({ id }) => id));
}

/** The host as `evil[.]dev`, so that mail programs make no link of it and filters do not refuse the mail. */
function defang(host: string): string {
  return host.replaceAll(".", "[.]");
}

function describe(
  account: string,
  notices: readonly store.ScreeningNotice[],
  { screening: words, reasons }: MailTexts,
): string {
  const named = notices.slice(0, MAX_NAMED_HOSTS).map(({ host, verdict, shortUrl }) => {
    const { state, reason } = unpackVerdict(verdict);
    const what = state === "blocked" ? words.blocked : words.warned;
    // What the terms of Web Risk ask for.
    const advisory = isAdvisory(verdict) ? `. ${words.advisory}` : "";
    return `${words.finding(defang(host), what, reasons[reason ?? "policy"], shortUrl)}${advisory})`;
  });
  const others = notices.length - named.length;
  const more = others === 0 ? "" : words.others(others, notices.length === MAX_TOLD_HOSTS);
  return words.found(account, named.join(", ") + more);
}
