import { queryClickLog } from "../../click-log/log/stub.ts";
import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { hostOf } from "../../platform/lib/host-of.ts";
import { urlsOf } from "../../links/screening.ts";
import { findWorst, judge, judgeUnknown, waitsForScreening, whatIsWrong } from "./judge.ts";
import { setVerdicts } from "../../links/set-verdicts.ts";
import { confirmVerdicts, findJudgements, type GivenVerdict, type OwnJudgement } from "../../links/store/verdicts.ts";
import {
  CONFIRMATION_RETRY_MS,
  LINKS_PER_RESCREENING,
  RESCREENING_CLICKS_TIMEOUT_MS,
  RESCREENING_MS,
} from "./limits.ts";
import { hasProvider } from "./providers/providers-of.ts";
import { findScreener, judgeUrls, type Judgements } from "./screen-urls.ts";
import type { Screened, WatchedLink } from "./store/watched-links.ts";
import { isAdvisory, packVerdict, unpackVerdict, type Verdict } from "../../redirect/verdict.ts";
import { recordEntries } from "../operators/store.ts";
import { noteFindings, type ScreeningNotice } from "./store/notices.ts";

/**
 * Screens the links that are due. Those with a harmful destination are blocked or warned of, and get their former verdict when
 * nothing is wrong any more. Links without an account are allowed if nothing wrong is found. Takedowns stay. Returns the
 * number of links. May be repeated after a failure.
 */
export async function rescreenLinks(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  const links = await findScreener(env).listDue(now, LINKS_PER_RESCREENING);
  if (links.length === 0) return 0;
  const due = new Map(links.map((link) => [link.id, link]));
  const rows = await findJudgements(db, [...due.keys()]);
  const screened = new Map((await screenLinks(context, rows, due)).map((each) => [each.id, each]));
  await findScreener(env).recordScreened(
    links.map((link) => screened.get(link.id) ?? toGone(link)),
    now,
  );
  return links.length;
}

function toGone({ id, since, former }: WatchedLink): Screened {
  return { id, since, isGone: true, clicks: 0, former, until: null };
}

/** What was decided while links were screened stays: takedowns, and claims by accounts without trust. */
const KEEPING = { keepsTakedowns: true, keepsDistrust: true };

async function screenLinks(
  context: ServiceContext,
  rows: readonly OwnJudgement[],
  due: ReadonlyMap<string, WatchedLink>,
): Promise<Screened[]> {
  const { env, db, now } = context;
  const judgements = await judgeUrls(context, new Set(rows.flatMap(urlsOf)));
  // Otherwise nothing has looked at the destination.
  const isJudged = hasProvider(env) || judgements.hasRules;
  const isDaily = ({ id }: OwnJudgement) => (due.get(id)?.step ?? 0) >= RESCREENING_MS.length - 1;
  const clicks = await countClicks(context, rows.filter(isDaily));
  const verdicts = new Map<string, GivenVerdict>();
  const sources = new Map<string, string>();
  const passed = new Set<string>();
  const screened = rows.map((row): Screened => {
    const { since, former } = due.get(row.id) as WatchedLink;
    const { finding, isUnknown } = whatIsWrong(row, judgements);
    const judged = isUnknown ? judgeUnknown(row, former, now) : judge(row, former, finding, now);
    if (judged.verdict !== null) verdicts.set(row.id, judged.verdict);
    else if (finding === undefined && !isUnknown && isJudged && waitsForScreening(row)) passed.add(row.id);
    if (finding !== undefined) sources.set(row.id, finding.source);
    const isGone = false;
    // A warning of a provider that could not be confirmed is tried again until it ends.
    const isOpen = isUnknown && isAdvisory(row.own_verdict);
    const until = finding?.until ?? (isOpen ? now + CONFIRMATION_RETRY_MS : null);
    return { id: row.id, since, isGone, clicks: clicks.get(row.id) ?? null, former: judged.former, until };
  });
  // First, because a block whose former verdict is unknown would never end.
  const former = screened.flatMap((each) => (each.former === null ? [] : [[each.id, each.former] as const]));
  if (former.length > 0) await findScreener(env).noteFormer(new Map(former));
  // Also first: a run that is repeated after a failure finds the verdicts unchanged.
  await noteFindings(
    context,
    rows.flatMap((row) => toNotice(context, row, verdicts.get(row.id), judgements)),
  );
  const changed = await setVerdicts(context, verdicts, KEEPING);
  await confirmVerdicts(db, new Map([...verdicts].filter(([, verdict]) => verdict.isAdvisory)));
  const allowed: Verdict = { state: "allowed", reason: null, since: now };
  await setVerdicts(context, new Map([...passed].map((id) => [id, allowed])), KEEPING);
  await recordEntries(
    db,
    changed.map((row) => ({
      id: newId(now),
      operatorId: null,
      action: "screening.verdict",
      subject: shortUrlOf(context, row),
      details: toDetails(verdicts.get(row.id) as Verdict, sources.get(row.id) ?? null),
      country: null,
      now,
    })),
  );
  return screened;
}

function toDetails({ state, reason }: Verdict, source: string | null): Record<string, string | null> {
  return { state, reason, since: null, source };
}

/** What the owners of the link are told of its new verdict. A warning that is confirmed is not told again. */
function toNotice(
  context: ServiceContext,
  row: OwnJudgement,
  verdict: GivenVerdict | undefined,
  { findings, suspicions }: Judgements,
): ScreeningNotice[] {
  const accountId = row.account_id;
  if (verdict === undefined || accountId === null) return [];
  const { state, reason } = verdict;
  const own = unpackVerdict(row.own_verdict);
  if ((state !== "blocked" && state !== "warned") || (own.state === state && own.reason === reason)) return [];
  const finding = findWorst(row, findings) ?? findWorst(row, suspicions);
  const url = urlsOf(row).find((each) => [findings.get(each), suspicions.get(each)].includes(finding));
  if (finding === undefined || url === undefined) return [];
  const packed = packVerdict({ state, reason, since: null }, false, verdict.isAdvisory);
  return [{ accountId, host: hostOf(url), verdict: packed, shortUrl: shortUrlOf(context, row) }];
}

function shortUrlOf({ baseUrl }: ServiceContext, { domain, slug }: Pick<OwnJudgement, "domain" | "slug">): string {
  return `${domain === "" ? baseUrl : `https://${domain}`}/${slug}`;
}

/** The clicks of the accounts' links. Without an entry: they are unknown, and the link counts as clicked. */
async function countClicks(
  context: ServiceContext,
  rows: readonly OwnJudgement[],
): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>();
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  for (const [accountId, links] of byAccount) {
    if (accountId === null) continue;
    const ids = links.map(({ id }) => id);
    try {
      const counting = queryClickLog({ ...context, principal: { accountId } }, (log) => log.countersOf(ids));
      const counters = await withTimeout(counting, RESCREENING_CLICKS_TIMEOUT_MS);
      for (const { linkId, clicks } of counters) counted.set(linkId, clicks);
    } catch (error) {
      log("warn", "click_counters_not_synced", { accountId, ...describeError(error) });
    }
  }
  return counted;
}
