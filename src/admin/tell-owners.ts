import type { ServiceContext } from "../context.ts";
import { Batch } from "../database/batch.ts";
import { describeError, log } from "../lib/log.ts";
import { canSendMail, deliverMails, prepareMail } from "../people/mail/send.ts";
import { addMail, type NewMail } from "../people/mail/store.ts";
import { unpackVerdict } from "../safety/verdict.ts";
import { describeReason } from "./reasons.ts";
import { claimDue, tellOnce } from "./store/takedown-mails.ts";
import { findTakedown, listOwners, type TakedownRow } from "./store/takedowns.ts";

type Notice = "taken_down" | "takedown_reversed" | "appeal_decided";

/** A takedown, and what was decided about its appeal. */
type Described = TakedownRow & { decision?: "upheld" | "reversed"; answer?: string | null };

/** Tells the owners of the account by mail what is no longer taken down, or what became of their appeal. Without mail it does nothing. */
export async function tellOwners(
  context: ServiceContext,
  accountId: number,
  kind: Exclude<Notice, "taken_down">,
  takedown: Described,
): Promise<void> {
  const mails = await prepareMails(context, accountId, kind, takedown);
  if (mails.length === 0) return;
  const batch = new Batch(context.env.DB);
  for (const mail of mails) addMail(batch, mail, context.now);
  await batch.commitWithRetry();
  deliverMails(context, ...mails.map(({ id }) => id));
}

/**
 * Tells the owners of the account by mail what was taken down and why, unless they were told. Those who had too many mails are told
 * by {@link tellOfDueTakedowns}.
 */
export async function tellOfTakedown(context: ServiceContext, accountId: number, takedown: TakedownRow): Promise<void> {
  const mails = await prepareMails(context, accountId, "taken_down", takedown);
  await tellOnce(context, { accountId, takedownId: takedown.id }, mails);
  deliverMails(context, ...mails.map(({ id }) => id));
}

/**
 * Tells owners of takedowns of which no mail was stored: a call failed after the takedown, or an address had too many mails. Returns
 * their number.
 */
export async function tellOfDueTakedowns(context: ServiceContext): Promise<number> {
  const due = await claimDue(context);
  for (const { accountId, takedownId } of due) {
    try {
      const takedown = await findTakedown(context.env.DB, takedownId);
      if (takedown !== null && takedown.reversed_at === null) await tellOfTakedown(context, accountId, takedown);
      else await tellOnce(context, { accountId, takedownId }, []);
    } catch (error) {
      log("warn", "owners_not_told", { accountId, ...describeError(error) });
    }
  }
  return due.length;
}

async function prepareMails(
  context: ServiceContext,
  accountId: number,
  kind: Notice,
  takedown: Described,
): Promise<NewMail[]> {
  if (!canSendMail(context)) return [];
  const owners = await listOwners(context.env.DB, accountId);
  const opening = describe(takedown, kind);
  return Promise.all(owners.map((owner) => prepareMail(context, kind, owner, null, opening)));
}

function describe({ kind, shown, imposed, statement, answer, decision }: Described, mail: Notice): string {
  const what = {
    link: `The short link ${shown}`,
    account: `Your account ${shown} with all of its links`,
    domain: `Your domain ${shown} with all of its links`,
    host: `Each of your short links that leads to ${shown}`,
  }[kind];
  if (mail === "takedown_reversed") return `${what} is no longer taken down.`;
  if (mail === "appeal_decided")
    return `${what} ${decision === "reversed" ? "is no longer taken down" : "stays taken down"}.${withSpace(answer)}`;
  const { reason } = unpackVerdict(imposed);
  return `${what} was taken down because of ${describeReason(reason)}.${withSpace(statement)}`;
}

function withSpace(text: string | null | undefined): string {
  return text === null || text === undefined ? "" : ` ${text}`;
}
