import { holds, type Condition } from "../../../platform/database/parameters.ts";

/** Whether the person is an operator of the service now. */
export async function isOperator(db: D1Database, userId: string): Promise<boolean> {
  return (await db.prepare("SELECT 1 FROM operators WHERE user_id = ?1").bind(userId).first()) !== null;
}

/** Holds while the session goes on and its person is an operator. */
export function operatorActs(sessionId: string, userId: string): Condition {
  return holds`EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId})
    AND EXISTS (SELECT 1 FROM operators WHERE user_id = ${userId})`;
}
