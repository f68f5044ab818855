import { whenTrusted, whenUntrusted } from "../../redirect/verdict.ts";
import type { LinkRow } from "../store/row.ts";
import type { OwnJudgement } from "../store/verdicts.ts";
import { nextVersion } from "../store/write-columns.ts";

/** A link as it was read, and as a claim makes it. */
export interface ClaimedLink {
  before: OwnJudgement;
  after: LinkRow;
  /** Packed. Visitors meet it unless something is taken down. */
  ownVerdict: number;
}

interface Claimer {
  accountId: number;
  userId: string;
  /** Whether the account is not trusted yet. Its owner could change the destination of a link that screening has allowed. */
  isUntrusted: boolean;
}

/** Decides what becomes of a link that an account claims. No claimable link is refused; only the quota of the account refuses all. */
export function decideClaim(
  before: OwnJudgement,
  { accountId, userId, isUntrusted }: Claimer,
  now: number,
): ClaimedLink {
  const ownVerdict = isUntrusted ? whenUntrusted(before.own_verdict) : whenTrusted(before.own_verdict);
  const after = {
    ...before,
    account_id: accountId,
    created_by_user: userId,
    expires_at: null,
    verdict: before.imposed_verdict ?? ownVerdict,
    updated_at: nextVersion(before, now),
  };
  return { before, after, ownVerdict };
}
