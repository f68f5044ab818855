import type { ServiceContext } from "../../../platform/context.ts";
import { describeError, log } from "../../../platform/lib/log.ts";
import { newIds } from "../../../platform/lib/uuid.ts";
import { canSendMail, deliverMails } from "../../../platform/mail/send.ts";
import { MAX_TOLD_OPERATORS } from "./limits.ts";
import { addOperatorMails, type OperatorMail } from "./store.ts";

/**
 * Tells the operators by mail that a report or an appeal waits: each of them at most once an hour for each kind of mail, so that
 * the mail about those that come meanwhile is sent at the end of the hour. Without mail it does nothing. Never throws.
 */
export async function tellOperators(context: ServiceContext, kind: OperatorMail): Promise<void> {
  const { db, now } = context;
  if (!canSendMail(context)) return;
  try {
    const ids = await addOperatorMails(db, kind, newIds(now, MAX_TOLD_OPERATORS), now);
    deliverMails(context, ...ids);
  } catch (error) {
    log("warn", "operators_not_told", describeError(error));
  }
}
