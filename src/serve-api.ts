import { app } from "./app.ts";
import { collectChanges } from "./http/told-changes.ts";
import { CHANGES_HEADER, encodeChanges, type ToldChange } from "./redirect/lookup/cache-changes.ts";

/** Responds as the API. In a split installation the response tells the redirect Worker what has changed for its caches. */
export async function serveApi(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (env.SPLIT !== "on") return app.fetch(request, env, ctx);
  const changes = collectChanges(ctx);
  const response = await withFirstEvent(await app.fetch(request, env, ctx));
  if (changes.length === 0) return response;
  const telling = new Response(response.body, response);
  telling.headers.set(CHANGES_HEADER, encodeChanges(changes as ToldChange[]));
  return telling;
}

/** Waits for the first event of a stream: the response to a call of a tool begins before the tool has changed something. */
async function withFirstEvent(response: Response): Promise<Response> {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  const [observed, passedOn] = response.body.tee();
  const reader = observed.getReader();
  await reader.read();
  // It ends with the stream.
  void reader.cancel().catch(() => {});
  return new Response(passedOn, response);
}
