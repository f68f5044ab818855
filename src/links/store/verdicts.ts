import type { ServiceContext } from "../../context.ts";
import { Parameters } from "../../database/parameters.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { isLinkTakenDown } from "../../safety/store.ts";
import { isSameJudgement, packVerdict, withTrustOf, type Verdict } from "../../safety/verdict.ts";
import { changeValues, enqueueEvents } from "./events.ts";
import { changedColumns, LINK_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { IS_REACHABLE } from "./verified-domains.ts";

/** A link whose verdict was set. */
type JudgedLink = LinkRow & { is_reachable: 0 | 1 };

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

/**
 * Sets the verdicts of links, by their ids, in one transaction with a `link.update` of each link that it changes. A link that
 * has the same state for the same reason keeps its verdict, and so does one that is taken down with `keepsTakedowns`. Returns the
 * links that were changed.
 */
export async function storeVerdicts(
  context: ServiceContext,
  verdicts: ReadonlyMap<string, Verdict>,
  keepsTakedowns: boolean,
): Promise<JudgedLink[]> {
  const packed = [...verdicts].map(([id, verdict]) => [id, packVerdict(verdict, false)]);
  const parameters = new Parameters(changeValues(context, JSON.stringify(Object.fromEntries(packed))));
  const { condition, position } = listedLinks([...verdicts.keys()], parameters);
  const { values } = parameters;
  const links = `${LISTED_LINKS} WHERE ${condition} AND NOT ${isSameJudgement("l.verdict", NEW_VERDICT)}
    ${keepsTakedowns ? `AND NOT ${isLinkTakenDown}` : ""}`;
  const batch = new OutboxBatch(context);
  // Before the change, because only then the links differ from what they will be.
  const from = `(SELECT ${changedColumns(ASSIGNMENTS)} FROM ${links}) l`;
  enqueueEvents(batch, "link.update", context.now, values, { from, number: position, count: verdicts.size });
  const set = Object.entries(ASSIGNMENTS).map(([column, value]) => `${column} = ${value}`);
  const judged = batch.add<JudgedLink>(
    `UPDATE ${links.replace(" WHERE ", ` SET ${set.join(", ")} WHERE `)} RETURNING ${LINK_COLUMNS}, ${IS_REACHABLE}`,
    values,
  );
  await batch.commit();
  return judged.rows;
}

/** SQL for the packed verdict of the link `l` in ?4, a JSON object by id. */
const NEW_VERDICT = "(?4 ->> l.id)";

const ASSIGNMENTS = {
  verdict: withTrustOf("l.verdict", NEW_VERDICT),
  updated_at: "CAST(max(?1, l.updated_at + 1) AS INTEGER)",
};
