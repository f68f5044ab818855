import { recall } from "./memory-cache.ts";
import { linkCacheKey } from "./cache-key.ts";
import { isCutOff, resolveLink, type LinkQuestion, type Resolution } from "./resolve.ts";

/** The link as a visitor would find it, without taking a visit. */
export async function peekLink(
  env: Env,
  ctx: ExecutionContext,
  asked: Omit<LinkQuestion, "counts">,
): Promise<Resolution> {
  const entry = recall(linkCacheKey(asked.domain, asked.slug), asked.now);
  if (entry !== undefined && !isCutOff(asked.domain, entry, asked.now)) return { outcome: "found", entry };
  return resolveLink(env, ctx, { ...asked, counts: () => Promise.resolve(false) });
}
