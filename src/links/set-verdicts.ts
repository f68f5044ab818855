import type { ServiceContext } from "../platform/context.ts";
import { isId } from "../platform/lib/uuid.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { isSameJudgement, isUntrusted, packVerdict, UNTRUSTED_VERDICT, whenTrusted } from "../redirect/verdict.ts";
import { slugsOf } from "./aliases.ts";
import { LINKS_PER_TRANSACTION } from "./limits.ts";
import { refuse } from "./refusal.ts";
import { repeatDecisions } from "./repeat.ts";
import type { LinkRow } from "./store/row.ts";
import {
  findJudgements,
  findUntrustedLinks,
  writeVerdicts,
  type GivenVerdict,
  type OwnJudgement,
} from "./store/verdicts.ts";
import type { WrittenChange } from "./store/write-columns.ts";

interface VerdictOptions {
  /** Links that are taken down stay as they are. */
  keepsTakedowns?: boolean;
  /**
   * The verdicts were decided before this moment. A link that an account without trust has by now is not allowed but pending,
   * because its owner can change the destination.
   */
  keepsDistrust?: boolean;
}

/**
 * Sets the verdicts of links of any accounts, by their ids, emits `link.update` for those that change and publishes them to
 * the caches of this data centre. Returns the changed links. May be repeated after a failure.
 */
export async function setVerdicts(
  context: ServiceContext,
  verdicts: ReadonlyMap<string, GivenVerdict>,
  options: VerdictOptions = {},
): Promise<LinkRow[]> {
  const ids = [...verdicts.keys()].filter(isId);
  const changed: LinkRow[] = [];
  for (let start = 0; start < ids.length; start += LINKS_PER_TRANSACTION) {
    const decide = (row: OwnJudgement) => decideVerdict(row, verdicts.get(row.id) as GivenVerdict, options);
    changed.push(...(await changeVerdicts(context, ids.slice(start, start + LINKS_PER_TRANSACTION), decide)));
  }
  return changed;
}

/**
 * The new verdict of a link, packed. null: it keeps its own, as one that has the same state for the same reason. A link that is trusted by
 * now is allowed where the verdict is pending.
 */
function decideVerdict(
  { own_verdict: own, account_id, is_taken_down }: OwnJudgement,
  given: GivenVerdict,
  { keepsTakedowns = false, keepsDistrust = false }: VerdictOptions,
): number | null {
  if (keepsTakedowns && is_taken_down === 1) return null;
  const isDistrusted = keepsDistrust && isUntrusted(own) && account_id !== null;
  const verdict =
    given.state === "pending" && !isUntrusted(own)
      ? 0
      : given.state === "allowed" && isDistrusted
        ? UNTRUSTED_VERDICT
        : packVerdict(given, isUntrusted(own), given.isAdvisory);
  return isSameJudgement(own, verdict) ? null : verdict;
}

/**
 * Trusts links of an account that is trusted now, at most {@link LINKS_PER_TRANSACTION}, as {@link setVerdicts} does. A warning or a block
 * stays. Returns their number.
 */
export async function trustLinksOf(context: ServiceContext, accountId: number): Promise<number> {
  const ids = await findUntrustedLinks(context.db, accountId, LINKS_PER_TRANSACTION);
  await changeVerdicts(context, ids, ({ own_verdict: own }) => (isUntrusted(own) ? whenTrusted(own) : null));
  return ids.length;
}

/** Gives the links the verdicts that `decide` returns, except where it returns null. */
async function changeVerdicts(
  context: ServiceContext,
  ids: readonly string[],
  decide: (row: OwnJudgement) => number | null,
): Promise<LinkRow[]> {
  const changed: LinkRow[] = [];
  const left = await repeatDecisions(ids, async (pending) => {
    const judged = (await findJudgements(context.db, pending)).flatMap((row) => {
      const verdict = decide(row);
      return verdict === null ? [] : [{ row, verdict }];
    });
    const written = await writeVerdicts(context, judged);
    await publishJudged(context, written);
    changed.push(...written.map(({ after }) => after));
    const done = new Set(written.map(({ after }) => after.id));
    return judged.map(({ row }) => row.id).filter((id) => !done.has(id));
  });
  if (left.length > 0) throw refuse("changed_concurrently").error;
  return changed;
}

async function publishJudged(context: ServiceContext, judged: readonly WrittenChange[]): Promise<void> {
  const reachable = judged.filter(
    ({ after, isReachable }) => isReachable || after.domain === context.env.ANONYMOUS_HOST,
  );
  await publishLinks(
    context,
    reachable.map(({ after }) => ({ row: after, domain: after.domain, slugs: slugsOf(after), isGone: false })),
  );
}
