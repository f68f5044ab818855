import type { ServiceContext } from "../../context.ts";
import { numberOfDatabase } from "../../database/databases.ts";
import { isOverQuota } from "../../usage/store.ts";
import { MAX_CLAIM_ATTEMPTS } from "../limits.ts";
import * as store from "./store/elsewhere.ts";

/** The links that a claim asked for. */
export interface Asked {
  ids: string[];
  bytes: number;
  /** Whether a quota of the account refuses them. Then they can be claimed again. */
  isRefused: boolean;
}

/**
 * Claims anonymous links for an account whose links are in another database, that of the context. What a failure leaves undone the cron
 * does.
 */
export async function claimElsewhere(context: ServiceContext, claim: store.MarkedClaim): Promise<Asked> {
  const { env, now } = context;
  await store.markLinks(env.DB, claim, now);
  return finishClaim(context, claim);
}

/** Moves the links that are marked by the claim. May be repeated, also by several callers at the same time. */
export async function finishClaim(context: ServiceContext, claim: store.MarkedClaim): Promise<Asked> {
  const { env, db, now } = context;
  const asked = new Map<string, number>();
  const toAsked = (isRefused: boolean) => {
    const bytes = [...asked.values()].reduce((sum, each) => sum + each, 0);
    return { ids: [...asked.keys()], bytes, isRefused };
  };
  // A link that was changed while it was stored, by an operator or by screening, is stored again.
  for (let attempt = 1; attempt <= MAX_CLAIM_ATTEMPTS; attempt++) {
    const links = await store.readMarked(env.DB, claim);
    if (links.length === 0) return toAsked(false);
    for (const { id, bytes } of links) asked.set(id, bytes);
    if (!(await storeOrGiveUp(context, claim, links))) {
      await store.unmarkLinks(env.DB, claim);
      return toAsked(true);
    }
    await store.handOver(env.DB, claim, links, numberOfDatabase(env, db), now);
  }
  throw new Error("the links were changed again and again while they were claimed");
}

/** Returns whether the links are stored. If not, they never will be by this claim. */
async function storeOrGiveUp(
  context: ServiceContext,
  claim: store.MarkedClaim,
  links: readonly store.MarkedLink[],
): Promise<boolean> {
  try {
    return await store.storeClaimed(context, claim, links);
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    return !(await store.giveUp(context.db, claim, context.now));
  }
}
