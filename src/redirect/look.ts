import { recall } from "./memo.ts";
import { placeOf } from "./place.ts";
import { isCutOff, resolveLink, type LinkQuestion, type Resolution } from "./resolve.ts";

/** The link as a visitor would find it, without taking a visit. */
export async function lookAtLink(
  env: Env,
  ctx: ExecutionContext,
  asked: Omit<LinkQuestion, "counts">,
): Promise<Resolution> {
  const entry = recall(placeOf(asked.domain, asked.slug), asked.now);
  if (entry !== undefined && !isCutOff(asked.domain, entry, asked.now)) return { outcome: "found", entry };
  return resolveLink(env, ctx, { ...asked, counts: () => Promise.resolve(false) });
}
