import type { ServiceContext } from "../context.ts";
import { Batch } from "../database/batch.ts";
import { describeError, log } from "../lib/log.ts";
import { canSendMail, deliverMails, prepareMail } from "../people/mail/send.ts";
import { addMail } from "../people/mail/store.ts";
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

async function tellOwners(context: ServiceContext, account: store.DueAccount): Promise<void> {
  if (!canSendMail(context)) return;
  const links = await store.findBrokenLinks(context, account);
  if (links.count === 0) return;
  const told = await store.findToldOwners(context.env.DB, account.accountId);
  if (told === null) return;
  const opening = describe(told.name, links);
  const mails = await Promise.all(
    told.owners.map((owner) => prepareMail(context, "destinations_broken", owner, null, opening)),
  );
  const batch = new Batch(context.env.DB);
  for (const mail of mails) addMail(batch, mail, context.now);
  await batch.commitWithRetry();
  deliverMails(context, ...mails.map(({ id }) => id));
}

function describe(account: string, { count, shortUrls }: store.BrokenLinks): string {
  const others = count - shortUrls.length;
  const number = count === MAX_COUNTED_BROKEN_LINKS ? `at least ${count}` : `${count}`;
  const what = count === 1 ? "The destination of a short link" : `The destinations of ${number} short links`;
  const names = [...shortUrls, ...(others > 0 ? [`${others} more`] : [])].join(", ");
  return `${what} of the account “${account}” ${count === 1 ? "is" : "are"} broken: ${names}.`;
}
