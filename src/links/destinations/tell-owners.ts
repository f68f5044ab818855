import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { findOwners } from "../../platform/mail/store.ts";
import { canSendMail, deliverMails, prepareMail } from "../../platform/mail/send.ts";
import { addMail } from "../../platform/mail/store.ts";
import type { MailTexts } from "../../platform/mail/texts/en.ts";
import { MAX_COUNTED_BROKEN_LINKS } from "./limits.ts";
import * as store from "./store/broken-mails.ts";

/**
 * Tells owners by mail which destinations broke, those of an account at most once a day. Returns the number of accounts. What
 * fails is due again when its lease ends.
 */
export async function tellOfBrokenDestinations(context: ServiceContext): Promise<number> {
  const due = await store.claimDueAccounts(context);
  for (const account of due) {
    try {
      await tellOwners(context, account);
      await store.recordTold(context, account.accountId);
    } catch (error) {
      log("warn", "owners_not_told", { accountId: account.accountId, ...describeError(error) });
    }
  }
  return due.length;
}

const WANT_MAILS = () => "a.broken_destination_mails = 1 AND a.deleted_at IS NULL AND a.disabled_at IS NULL";

async function tellOwners(context: ServiceContext, account: store.DueAccount): Promise<void> {
  if (!canSendMail(context)) return;
  const links = await store.findBrokenLinks(context, account);
  if (links.count === 0) return;
  const told = await findOwners(context.db, account.accountId, WANT_MAILS);
  if (told === null) return;
  const opening = (texts: MailTexts) => describe(told.name, links, texts);
  const mails = await Promise.all(
    told.owners.map((owner) => prepareMail(context, "destinations_broken", owner, { opening })),
  );
  const batch = new Batch(context.db);
  for (const mail of mails) addMail(batch, mail, context.now);
  await batch.commitWithRetry();
  deliverMails(context, ...mails.map(({ id }) => id));
}

function describe(account: string, { count, shortUrls }: store.BrokenLinks, { broken: words }: MailTexts): string {
  const others = count - shortUrls.length;
  const names = [...shortUrls, ...(others > 0 ? [words.others(others)] : [])].join(", ");
  if (count === 1) return words.one(account, names);
  return words.many(account, count === MAX_COUNTED_BROKEN_LINKS ? words.atLeast(count) : `${count}`, names);
}
