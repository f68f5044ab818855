import type { ServiceContext } from "../context.ts";
import { hasSeveralDatabases } from "../database/databases.ts";
import { giveBack, placeSlugs, renew } from "./placement.ts";
import * as store from "./store/insert.ts";
import { slugKeysOf, type NewLink } from "./store/new-links.ts";
import type { Placement } from "./store/placement.ts";

type Options = Omit<store.InsertOptions, "placement">;

/**
 * Stores links of one account. Where there are several databases, their slugs are reserved before (ADR 0042), and those that could not
 * be used are given back after the response.
 */
export function insertLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: Options = {},
): Promise<store.Insertion> {
  const several = hasSeveralDatabases(context.env);
  return several
    ? insertPlaced(context, accountId, links, options)
    : store.insertLinks(context, accountId, links, options);
}

async function insertPlaced(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: Options,
): Promise<store.Insertion> {
  const keys = links.flatMap(({ row }) => slugKeysOf(row, context.env));
  const hosts = links.flatMap((link) => link.hosts);
  const placement = await placeSlugs(context, keys, hosts);
  try {
    const insertion = await store.insertLinks(context, accountId, links, { ...options, placement });
    const outcomes = await Promise.all(
      insertion.outcomes.map((outcome, n) => afterRefusal(context, placement, insertion.rows[n], outcome)),
    );
    const unused = links.filter((_, n) => !KEEPS.has(outcomes[n]?.outcome ?? "storable"));
    const unusedKeys = unused.flatMap(({ row }) => slugKeysOf(row, context.env));
    giveBack(context, unusedKeys);
    return { ...insertion, outcomes };
  } catch (error) {
    giveBack(context, keys);
    throw error;
  }
}

/** What does not give the slug back: the account has it, another database has it, or the caller tries again. */
const KEEPS: ReadonlySet<string> = new Set<store.InsertOutcome["outcome"]>(["created", "slug_taken", "storable"]);

/** A link whose slug could not be stored because of a reservation that is of no use any more is tried again. */
async function afterRefusal(
  context: ServiceContext,
  placement: Placement,
  row: NewLink["row"] | undefined,
  outcome: store.InsertOutcome,
): Promise<store.InsertOutcome> {
  if (outcome.outcome !== "slug_taken" || !outcome.isElsewhere || row === undefined) return outcome;
  const [key] = slugKeysOf(row, context.env);
  const isFree = key !== undefined && (await renew(context, placement, key));
  return isFree ? { outcome: "storable", isLeft: false } : outcome;
}
