import type { ServiceContext } from "../../context.ts";
import { Parameters, type Value } from "../../database/parameters.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { isLinkTakenDown } from "../../safety/store.ts";
import {
  isSameJudgement,
  isUntrustedSql,
  packVerdict,
  stateSql,
  UNTRUSTED_VERDICT,
  VERDICT_STATES,
  whenTrusted,
  withTimeOf,
  withTrustOf,
  type Verdict,
} from "../../safety/verdict.ts";
import { VERDICTS_PER_BATCH } from "../limits.ts";
import { changeValues, enqueueEvents } from "./events.ts";
import { changedColumns, LINK_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { IS_REACHABLE } from "./verified-domains.ts";

/** A verdict to set. `isAdvisory`: it is a warning of Web Risk. */
export type GivenVerdict = Verdict & { isAdvisory?: boolean };

/** A link whose verdict was changed. */
export type JudgedLink = LinkRow & { is_reachable: 0 | 1 };

/** A link with its own verdict, packed, whether or not its account or its domain is taken down. */
export type OwnJudgement = LinkRow & { own_verdict: number; is_taken_down: 0 | 1 };

/** Returns those of the links that exist. */
export async function findJudgements(db: D1Database, ids: readonly string[]): Promise<OwnJudgement[]> {
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const own = `l.verdict AS own_verdict, ${isLinkTakenDown} AS is_taken_down`;
  const statement = db.prepare(`SELECT ${LINK_COLUMNS}, ${own} FROM ${LISTED_LINKS} WHERE ${condition}`);
  return (await statement.bind(...parameters.values).all<OwnJudgement>()).results;
}

export interface VerdictOptions {
  /** Links that are taken down stay as they are. */
  keepsTakedowns?: boolean;
  /**
   * The verdicts were decided before this moment. A link that an account without trust has by now is not allowed but pending,
   * because its owner can change the destination.
   */
  keepsDistrust?: boolean;
}

/**
 * Sets the verdicts of links, by their ids, in one transaction with a `link.update` of each link that it changes. A link that
 * has the same state for the same reason keeps its verdict. One that is trusted by now is allowed where the verdict is pending.
 * Returns the links that were changed.
 */
export async function storeVerdicts(
  context: ServiceContext,
  verdicts: ReadonlyMap<string, GivenVerdict>,
  { keepsTakedowns = false, keepsDistrust = false }: VerdictOptions = {},
): Promise<JudgedLink[]> {
  const packed = [...verdicts].map(([id, verdict]) => [id, packVerdict(verdict, false, verdict.isAdvisory)]);
  const distrusted = `WHEN ${stateSql(GIVEN)} = ${ALLOWED} AND ${isUntrustedSql("l.verdict")}
    AND l.account_id IS NOT NULL THEN ${UNTRUSTED_VERDICT}`;
  const to = `(CASE WHEN ${stateSql(GIVEN)} = ${PENDING} AND NOT ${isUntrustedSql("l.verdict")} THEN 0
    ${keepsDistrust ? distrusted : ""} ELSE ${withTrustOf("l.verdict", GIVEN)} END)`;
  const isSame = isSameJudgement("l.verdict", to);
  const unless = keepsTakedowns ? `(${isSame} OR ${isLinkTakenDown})` : isSame;
  const change = { to, unless };
  return changeVerdicts(context, [...verdicts.keys()], change, JSON.stringify(Object.fromEntries(packed)));
}

/**
 * Gives the links' verdicts, by their ids, the time of the given ones. One that is another judgement by now keeps its own. Visitors and owners see the same as before, so it is no change of the links.
 */
export async function confirmVerdicts(db: D1Database, verdicts: ReadonlyMap<string, GivenVerdict>): Promise<void> {
  if (verdicts.size === 0) return;
  const packed = [...verdicts].map(([id, verdict]) => [id, packVerdict(verdict, false, verdict.isAdvisory)]);
  const parameters = new Parameters([JSON.stringify(Object.fromEntries(packed))]);
  const { condition } = listedLinks([...verdicts.keys()], parameters);
  const given = "(?1 ->> l.id)";
  const set = `SET verdict = ${withTimeOf(given, "l.verdict")}`;
  const where = `WHERE ${condition} AND ${isSameJudgement("l.verdict", given)}`;
  await db
    .prepare(`UPDATE ${LISTED_LINKS} ${set} ${where}`)
    .bind(...parameters.values)
    .run();
}

/** SQL for the links of the account ?1 without trust. */
export const UNTRUSTED_LINKS = `FROM links l INDEXED BY links_by_verdict
  WHERE l.account_id = ?1 AND l.verdict <> 0 AND ${isUntrustedSql("l.verdict")}`;

/**
 * Trusts links of an account that is trusted now, at most {@link VERDICTS_PER_BATCH}, as {@link storeVerdicts} does. A warning
 * or a block stays. Returns the links that were changed.
 */
export async function trustLinks(context: ServiceContext, accountId: number): Promise<JudgedLink[]> {
  const { results } = await context.db
    .prepare(`SELECT l.id ${UNTRUSTED_LINKS} LIMIT ?2`)
    .bind(accountId, VERDICTS_PER_BATCH)
    .all<{ id: string }>();
  if (results.length === 0) return [];
  const change = { to: whenTrusted("l.verdict"), unless: `NOT ${isUntrustedSql("l.verdict")}` };
  return changeVerdicts(
    context,
    results.map(({ id }) => id),
    change,
  );
}

/** SQL for the packed verdict of the link `l` in ?4, a JSON object by id. */
const GIVEN = "(?4 ->> l.id)";
const [ALLOWED, PENDING] = [VERDICT_STATES.indexOf("allowed"), VERDICT_STATES.indexOf("pending")];

/** Changes the verdicts of links to SQL `to`, except where `unless` holds. */
async function changeVerdicts(
  context: ServiceContext,
  ids: readonly string[],
  { to, unless }: { to: string; unless: string },
  ...values: Value[]
): Promise<JudgedLink[]> {
  const parameters = new Parameters(changeValues(context, ...values));
  const { condition, position } = listedLinks(ids, parameters);
  const links = `${LISTED_LINKS} WHERE ${condition} AND NOT ${unless}`;
  const assignments = { verdict: to, updated_at: "CAST(max(?1, l.updated_at + 1) AS INTEGER)" };
  const batch = new OutboxBatch(context);
  // Before the change, because only then the links differ from what they will be.
  const from = `(SELECT ${changedColumns(assignments)} FROM ${links}) l`;
  const { now } = context;
  enqueueEvents(batch, "link.update", now, parameters.values, { from, number: position, count: ids.length });
  const set = Object.entries(assignments).map(([column, value]) => `${column} = ${value}`);
  const judged = batch.add<JudgedLink>(
    `UPDATE ${links.replace(" WHERE ", ` SET ${set.join(", ")} WHERE `)} RETURNING ${LINK_COLUMNS}, ${IS_REACHABLE}`,
    parameters.values,
  );
  await batch.commit();
  return judged.rows;
}
