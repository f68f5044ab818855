import type { Batch } from "../../platform/database/batch.ts";
import { allOf, holds, type Condition } from "../../platform/database/parameters.ts";

/** What a decision about reports concerns: a link, or all links of an account or a domain. */
export type Scope = "link" | "account" | "domain";

const COLUMNS: Record<Scope, string> = { link: "link_id", account: "account_id", domain: "domain" };

/** Holds for reports of the scope. `target` is as in the table `takedowns`. */
export const isReportOf = (scope: Scope, target: string): Condition => holds`${() => COLUMNS[scope]} = ${target}`;

/** Decides the open reports for which all conditions hold. May be repeated. */
export function settleReports(
  batch: Batch,
  decision: "dismissed" | "taken_down",
  now: number,
  ...conditions: Condition[]
): void {
  batch.sql`UPDATE reports SET decision = ${decision}, decided_at = ${now}, network = NULL
    WHERE decided_at IS NULL AND ${allOf(...conditions)}`;
}
