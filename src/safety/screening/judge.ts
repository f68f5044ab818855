import type { LinkRow } from "../../links/store/row.ts";
import type { GivenVerdict, OwnJudgement } from "../../links/store/verdicts.ts";
import { urlsOf } from "../../links/screening.ts";
import { ADVISORY_TTL_MS } from "../../redirect/limits.ts";
import { isAdvisory, isOutdated, isUntrusted, packVerdict, unpackVerdict } from "../../redirect/verdict.ts";
import type { Finding } from "./finding.ts";
import type { Judgements } from "./screen-urls.ts";

// What findings about destinations mean for a link. Pure.

/** The worst that is wrong with the destinations of the link; undefined: nothing. */
export function findWorst(row: LinkRow, findings: ReadonlyMap<string, Finding>): Finding | undefined {
  const found = urlsOf(row).flatMap((url) => findings.get(url) ?? []);
  return found.find(({ verdict }) => verdict === "block") ?? found[0];
}

/** The worst that is wrong with the link. `isUnknown`: nothing is, as far as the providers said something. */
export function whatIsWrong(
  row: OwnJudgement,
  { findings, suspicions, unknown }: Judgements,
): { finding: Finding | undefined; isUnknown: boolean } {
  const suspicion = isUntrusted(row.own_verdict) ? findWorst(row, suspicions) : undefined;
  const finding = findWorst(row, findings) ?? suspicion;
  return { finding, isUnknown: finding === undefined && urlsOf(row).some((url) => unknown.has(url)) };
}

/**
 * The link has no account, and visitors see its destination first. Links of accounts that are not trusted yet wait for the
 * trust, because their owners can change the destination after it was screened. Those of a burst wait for an account that claims them.
 */
export function waitsForScreening(row: OwnJudgement): boolean {
  const { state, reason } = unpackVerdict(row.own_verdict);
  return row.account_id === null && row.is_taken_down === 0 && state === "pending" && reason === null;
}

/** `verdict`: the new one of a link; null: it keeps its own. `former` is what it gets again when nothing is wrong any more. */
export interface Judged {
  verdict: GivenVerdict | null;
  former: number | null;
}

export function judge(row: OwnJudgement, former: number | null, finding: Finding | undefined, now: number): Judged {
  const own = unpackVerdict(row.own_verdict);
  if (row.is_taken_down === 1) return { verdict: null, former };
  if (finding === undefined) {
    const isImposed = former !== null && (own.state === "blocked" || own.state === "warned");
    return { verdict: isImposed ? unpackVerdict(former) : null, former: null };
  }
  const state = finding.verdict === "block" ? "blocked" : "warned";
  const isNewAdvisory = finding.source === "web_risk";
  const isOperators = former === null && (own.state === "blocked" || own.state === state);
  const isSame = own.state === state && !isNewAdvisory && !isAdvisory(row.own_verdict);
  if (isOperators || isSame) return { verdict: null, former };
  const since = finding.until === undefined ? now : finding.until - ADVISORY_TTL_MS;
  const verdict = { state, reason: finding.reason, since, isAdvisory: isNewAdvisory } as const;
  return { verdict, former: former ?? packVerdict(own, false) };
}

/** The link keeps its verdict, unless that is a warning which is too old by now. */
export function judgeUnknown(row: OwnJudgement, former: number | null, now: number): Judged {
  return isOutdated(row.own_verdict, now) ? judge(row, former, undefined, now) : { verdict: null, former };
}
