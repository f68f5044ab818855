import { conflict, notFound } from "../../platform/http/errors.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { tellOperators } from "../reports/form/tell-operators.ts";
import type { MemberContext, SessionContext } from "../../access/sessions/session.ts";
import { operatorActs } from "../../access/sessions/store/operators.ts";
import { noOperator, toEntry } from "../operators/operator-entry.ts";
import { reverseTakedown, toTakedown } from "../takedowns/takedowns.ts";
import { tellOwners } from "../takedowns/tell-owners.ts";
import type { Appeal, AppealedTakedown } from "./contract.ts";
import * as store from "./store.ts";

/** Makes the appeal of an account against a takedown. */
export async function createAppeal(context: MemberContext, id: string, statement: string): Promise<Appeal> {
  const { db, now, principal, session } = context;
  const { accountId } = principal;
  const row = isId(id) ? await store.findTakedownOf(db, accountId, id) : null;
  if (row === null) throw notFound("not_found", { resource: "takedown" });
  const appeal = { id: newId(now), takedownId: id, accountId, userId: session.user.id, statement };
  if (!(await store.insertAppeal(db, appeal, now)))
    throw row.reversed_at === null ? conflict("exists", { resource: "appeal" }) : conflict("takedown_reversed");
  context.waitUntil(tellOperators(context, "reports_wait"));
  return { id: appeal.id, statement, createdAt: now, decision: null, answer: null, decidedAt: null };
}

/** As operators see it. */
export function toAppealedTakedown(row: store.TakedownWithAppeal): AppealedTakedown {
  return { takedown: toTakedown(row), appeal: row.appeal_id === null ? null : toAppeal(row, row.appeal_id) };
}

/** As the account sees it: without the name of the operator, and without what it says of other accounts. */
export function toOwnTakedown(row: store.TakedownWithAppeal): AppealedTakedown {
  const { takedown, appeal } = toAppealedTakedown(row);
  return { takedown: { ...takedown, createdBy: null, links: null }, appeal };
}

/** Decides an appeal and tells the owners. A call that failed can be repeated. Throws a 409 for a decided appeal. */
export async function decideAppeal(
  context: SessionContext,
  id: string,
  action: "uphold" | "reverse",
  answer: string | null,
): Promise<AppealedTakedown> {
  const { db, session } = context;
  const row = isId(id) ? await store.findAppeal(db, id) : null;
  if (row === null) throw notFound("not_found", { resource: "appeal" });
  if (row.decided_at !== null) throw decidedAlready();
  if (action === "uphold" && row.reversed_at !== null) throw conflict("decide_with_reverse");
  // First, so that an appeal whose takedown is not reversed stays open.
  if (action === "reverse") await reverseTakedown(context, row.id, row.appeal_account);
  const decision = action === "reverse" ? "reversed" : "upheld";
  const entry = toEntry(context, `appeal.${action}`, row.shown, { appealId: id, answer });
  const isAllowed = operatorActs(session.id, session.user.id);
  const isDecided = await store.decideAppeal(db, { id, decision, answer }, entry, isAllowed);
  const decided = await store.findAppeal(db, id);
  if (decided === null || decided.decided_at === null) throw noOperator();
  if (!isDecided) throw decidedAlready();
  await tellOwners(context, { accountId: row.appeal_account, takedownId: row.id });
  return toAppealedTakedown(decided);
}

function toAppeal(row: store.TakedownWithAppeal, id: string): Appeal {
  return {
    id,
    statement: row.appeal_statement,
    createdAt: row.appealed_at,
    decision: row.decision,
    answer: row.answer,
    decidedAt: row.decided_at,
  };
}

const decidedAlready = () => conflict("decided_already", { resource: "appeal" });
