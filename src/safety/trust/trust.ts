import { DAY_MS } from "../../duration.ts";
import { isLoopbackName } from "../../lib/hosts.ts";
import { DEFAULT_TRUST_AFTER_DAYS, MAX_TRUST_AFTER_DAYS, PROVEN_TRUST_DIVISOR } from "../limits.ts";
import { BURST_VERDICT, UNTRUSTED_VERDICT } from "../verdict.ts";

/** How old an account becomes before it is trusted, in milliseconds. 0: accounts are trusted from the beginning. */
interface TrustAges {
  /** Of an account with a verified domain, or with an owner who has a second factor. */
  proven: number;
  /** Of any account. */
  any: number;
}

interface Context {
  env: Env;
  baseUrl: string;
  /** Unix milliseconds. */
  now: number;
}

export function trustAges({ env: { TRUST_AFTER_DAYS }, baseUrl }: Context): TrustAges {
  if (isLoopbackName(new URL(baseUrl).hostname)) return { proven: 0, any: 0 };
  const isDays = /^\d{1,4}$/.test(TRUST_AFTER_DAYS) && Number(TRUST_AFTER_DAYS) <= MAX_TRUST_AFTER_DAYS;
  const any = (isDays ? Number(TRUST_AFTER_DAYS) : DEFAULT_TRUST_AFTER_DAYS) * DAY_MS;
  return { proven: any / PROVEN_TRUST_DIVISOR, any };
}

/** When it is first checked whether a new account can be trusted, Unix milliseconds; null: it is trusted from the beginning. */
export function firstTrustCheck(context: Context): number | null {
  const { proven } = trustAges(context);
  return proven === 0 ? null : context.now + proven;
}

/** The packed verdict of a new link without an account. On the operator's own machine it redirects as any other. */
export function anonymousVerdict(baseUrl: string, isBurst: boolean): number {
  if (isLoopbackName(new URL(baseUrl).hostname)) return 0;
  return isBurst ? BURST_VERDICT : UNTRUSTED_VERDICT;
}
