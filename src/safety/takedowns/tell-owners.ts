import type { ServiceContext } from "../../platform/context.ts";
import { ALWAYS } from "../../platform/database/parameters.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { findOwners } from "../../platform/mail/store.ts";
import { canSendMail, deliverMails, prepareMail } from "../../platform/mail/send.ts";
import type { NewMail } from "../../platform/mail/store.ts";
import type { MailTexts } from "../../platform/mail/texts/en.ts";
import { unpackVerdict } from "../../redirect/verdict.ts";
import { findTakedownOf, type TakedownWithAppeal } from "../appeals/store.ts";
import { claimDue, tellOnce, type Concerned } from "./store/takedown-mails.ts";

type Notice = "taken_down" | "takedown_reversed" | "appeal_decided";

/**
 * Tells the owners of the account by mail what was taken down and why, that it is not any more, or what became of their appeal, unless
 * they were told. Those who had too many mails are told by {@link tellOfDueTakedowns}. Without mail it does nothing.
 */
export async function tellOwners(context: ServiceContext, concerned: Concerned): Promise<void> {
  const takedown = await findTakedownOf(context.db, concerned.accountId, concerned.takedownId);
  if (takedown === null) return;
  const told = { reversedAt: takedown.reversed_at, decidedAt: takedown.decided_at };
  const mails = await prepareMails(context, concerned.accountId, noticeOf(takedown), takedown);
  await tellOnce(context, concerned, told, mails);
  deliverMails(context, ...mails.map(({ id }) => id));
}

/**
 * Tells owners of whom no mail was stored: a call failed before it, or an address had too many mails. Returns the number of accounts.
 */
export async function tellOfDueTakedowns(context: ServiceContext): Promise<number> {
  const due = await claimDue(context);
  for (const concerned of due) {
    try {
      await tellOwners(context, concerned);
    } catch (error) {
      log("warn", "owners_not_told", { accountId: concerned.accountId, ...describeError(error) });
    }
  }
  return due.length;
}

function noticeOf({ reversed_at: reversedAt, decision }: TakedownWithAppeal): Notice {
  if (reversedAt !== null) return decision === "reversed" ? "appeal_decided" : "takedown_reversed";
  return decision === "upheld" ? "appeal_decided" : "taken_down";
}

async function prepareMails(
  context: ServiceContext,
  accountId: number,
  kind: Notice,
  takedown: TakedownWithAppeal,
): Promise<NewMail[]> {
  if (!canSendMail(context)) return [];
  const told = await findOwners(context.db, accountId, ALWAYS);
  const opening = (texts: MailTexts) => describe(takedown, kind, texts);
  return Promise.all((told?.owners ?? []).map((owner) => prepareMail(context, kind, owner, { opening })));
}

function describe(
  { kind, shown, imposed, statement, answer, decision }: TakedownWithAppeal,
  mail: Notice,
  { takedown: words, reasons }: MailTexts,
): string {
  const what = words[kind](shown);
  if (mail === "takedown_reversed") return words.reversed(what);
  if (mail === "appeal_decided")
    return (decision === "reversed" ? words.reversed(what) : words.upheld(what)) + withSpace(answer);
  const { reason } = unpackVerdict(imposed);
  return words.imposed(what, reasons[reason ?? "policy"]) + withSpace(statement);
}

function withSpace(text: string | null | undefined): string {
  return text === null || text === undefined ? "" : ` ${text}`;
}
