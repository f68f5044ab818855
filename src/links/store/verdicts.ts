import type { ServiceContext } from "../../platform/context.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { imposedVerdict, isLinkTakenDown } from "../../redirect/lookup/store/verdict-sql.ts";
import { isSameJudgementSql, isUntrustedSql, packVerdict, withTimeOf, type Verdict } from "../../redirect/verdict.ts";
import { and, areAsRead } from "./as-read.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { nextVersion, writeColumns, type ColumnChange, type WrittenChange } from "./write-columns.ts";

/** A verdict to set. `isAdvisory`: it is a warning of Web Risk. */
export type GivenVerdict = Verdict & { isAdvisory?: boolean };

/** A link with its own verdict, packed, and that of its account, its domain or a host if one is taken down. */
export type OwnJudgement = LinkRow & { own_verdict: number; imposed_verdict: number | null; is_taken_down: 0 | 1 };

/** The columns of {@link OwnJudgement} of the links `l`. */
export const JUDGEMENT_COLUMNS = `${LINK_COLUMNS}, l.verdict AS own_verdict, ${imposedVerdict} AS imposed_verdict,
  ${isLinkTakenDown} AS is_taken_down`;

/** Returns those of the links that exist. */
export async function findJudgements(db: D1Database, ids: readonly string[]): Promise<OwnJudgement[]> {
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const statement = db.prepare(`SELECT ${JUDGEMENT_COLUMNS} FROM ${LISTED_LINKS} WHERE ${condition}`);
  return (await statement.bind(...parameters.values).all<OwnJudgement>()).results;
}

/**
 * Gives links new verdicts of their own, packed, in one transaction with a `link.update` of each. Links that were changed, judged or
 * taken down since they were read stay as they are. Returns the others.
 */
export async function writeVerdicts(
  context: ServiceContext,
  judged: readonly { row: OwnJudgement; verdict: number }[],
): Promise<WrittenChange[]> {
  if (judged.length === 0) return [];
  const rows = judged.map(({ row }) => row);
  const condition = and(areAsRead(rows), (parameters) => {
    const read = rows.map((row) => [row.id, [row.own_verdict, row.is_taken_down]] as const);
    const judgement = `${parameters.add(JSON.stringify(Object.fromEntries(read)))} -> l.id`;
    return `l.verdict = ${judgement} ->> 0 AND ${isLinkTakenDown} = ${judgement} ->> 1`;
  });
  const changes = judged.map(({ row, verdict }): ColumnChange => {
    const after = { ...row, verdict: row.imposed_verdict ?? verdict, updated_at: nextVersion(row, context.now) };
    return { before: row, after, columns: { verdict } };
  });
  const batch = new OutboxBatch(context);
  const written = writeColumns(batch, changes, condition, context);
  await batch.commit();
  return written();
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
  const where = `WHERE ${condition} AND ${isSameJudgementSql("l.verdict", given)}`;
  await db
    .prepare(`UPDATE ${LISTED_LINKS} ${set} ${where}`)
    .bind(...parameters.values)
    .run();
}

/** SQL for the links of the account ?1 without trust. */
export const UNTRUSTED_LINKS = `FROM links l INDEXED BY links_by_verdict
  WHERE l.account_id = ?1 AND l.verdict <> 0 AND ${isUntrustedSql("l.verdict")}`;

/** Returns up to `limit` links of the account without trust. */
export async function findUntrustedLinks(db: D1Database, accountId: number, limit: number): Promise<string[]> {
  const statement = db.prepare(`SELECT l.id ${UNTRUSTED_LINKS} LIMIT ?2`).bind(accountId, limit);
  const { results } = await statement.all<{ id: string }>();
  return results.map(({ id }) => id);
}
