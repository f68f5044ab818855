import type { Because } from "../platform/http/faults.ts";

/** What is said of the destinations of a request. */
export interface Screening {
  /** The URLs to which no link may lead, with the reasons. */
  blocked: ReadonlyMap<string, Because>;
  /** Of a link without an account: its visitors need not see the destination first. */
  hasPassed: boolean;
}

/** A link that is created without an account. */
interface StrangersLink {
  baseUrl: string;
  /** Whether the link is one of many that its network creates at once. */
  isBurst: boolean;
  /** Whether screening found nothing wrong. */
  hasPassed: boolean;
}

/** What is said of new links and accounts: by the wing `safety` (src/safety/checks.ts), or by src/no-safety.ts. */
export interface Checks {
  /** Screens the URLs of a request. `stranger` is where the service is if the request has no account, else null. Does not throw. */
  screen(env: Env, urls: ReadonlySet<string>, stranger: { baseUrl: string } | null): Promise<Screening>;
  /** Screens links with new destinations again later, Unix milliseconds. Does not throw. */
  watch(env: Env, linkIds: readonly string[], now: number): Promise<void>;
  /** The packed verdict of a new link without an account. */
  verdictOfStranger(link: StrangersLink): number;
  /** When it is first checked whether a new account can be trusted, Unix milliseconds; null: it is trusted from the beginning. */
  firstTrustCheck(service: { baseUrl: string; now: number }): number | null;
}

let registered: Checks | undefined;

/** The entry points of the Worker register the checks of the build (src/app.ts, src/cron.ts, src/objects.ts). */
export function registerChecks(checks: Checks): void {
  registered = checks;
}

/** Throws if none are registered, so that no link is created without its checks. */
export function checks(): Checks {
  if (registered === undefined) throw new Error("No checks are registered. Call registerChecks() first.");
  return registered;
}
