import type { CallContext } from "../../platform/context.ts";
import { limiterFailed, rateLimited } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { SECOND_MS } from "../../limits.ts";
import { log } from "../../platform/lib/log.ts";
import { checkRateLimit } from "../../platform/rate-limit/rate-limit.ts";
import { MAX_VERIFICATION_MAILS } from "./limits.ts";

/**
 * Counts a request for a mail that verifies an address, whether or not the mail will be sent. Many clients together could
 * otherwise send mails to any number of strangers. Throws 429 if there were too many, and 503 if the limiter fails.
 */
export async function countVerificationMail({ env, requestId }: CallContext): Promise<void> {
  const limit = { name: "verification mails", operation: "send", limit: MAX_VERIFICATION_MAILS };
  const check = { requestId, ...limit, penalties: false, resolutionMs: SECOND_MS };
  const status = await checkRateLimit(env, check, limiterFailed);
  if (status.allowed) return;
  log("warn", "verification_mails_limited", { requestId, limit: MAX_VERIFICATION_MAILS });
  throw rateLimited(fault("", "too_many_mails"), status.waitSeconds);
}
