import { withClaimedOrigin } from "../platform/installation/claimed.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { errorResponse } from "./pages/error-response.ts";

type Answer = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/**
 * Answers a request of an installation without `BASE_URL`, by `answer` with the origin of the claim in its place. A visitor gets
 * a 503 if the origin is not known: a custom domain could not be told from the service's own host.
 */
export async function answerUnnamed(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  answer: Answer,
): Promise<Response> {
  let named: Env;
  try {
    named = await withClaimedOrigin(env);
  } catch (error) {
    const requestId = crypto.randomUUID();
    log("error", "origin_unknown", { requestId, ...describeError(error) });
    return errorResponse({ request, requestId }, "unavailable");
  }
  return answer(request, named, ctx);
}
