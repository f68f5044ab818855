import type { ServiceContext } from "../context.ts";
import { Batch } from "../database/batch.ts";
import { canSendMail, deliverMails, prepareMail } from "../people/mail/send.ts";
import { addMail } from "../people/mail/store.ts";
import { unpackVerdict, type Verdict } from "../safety/verdict.ts";
import { listOwners, type TakedownRow } from "./store/takedowns.ts";

const REASONS: Partial<Record<NonNullable<Verdict["reason"]>, string>> = {
  phishing: "phishing",
  malware: "malware",
  spam: "spam",
  child_abuse: "child sexual abuse material",
  illegal: "illegal content",
  legal_order: "a legal order",
  policy: "the rules of this service",
};

type Notice = "taken_down" | "takedown_reversed" | "appeal_decided";

/** A takedown, and what was decided about its appeal. */
type Described = TakedownRow & { decision?: "upheld" | "reversed"; answer?: string | null };

/** Tells the owners of the account by mail what was taken down, or is no longer, and why, or what became of their appeal. Without mail it does nothing. */
export async function tellOwners(
  context: ServiceContext,
  accountId: number,
  kind: Notice,
  takedown: Described,
): Promise<void> {
  if (!canSendMail(context)) return;
  const owners = await listOwners(context.env.DB, accountId);
  if (owners.length === 0) return;
  const opening = describe(takedown, kind);
  const mails = await Promise.all(owners.map((owner) => prepareMail(context, kind, owner, null, opening)));
  const batch = new Batch(context.env.DB);
  for (const mail of mails) addMail(batch, mail, context.now);
  await batch.commitWithRetry();
  deliverMails(context, ...mails.map(({ id }) => id));
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
  return `${what} was taken down because of ${REASONS[reason ?? "policy"]}.${withSpace(statement)}`;
}

function withSpace(text: string | null | undefined): string {
  return text === null || text === undefined ? "" : ` ${text}`;
}
