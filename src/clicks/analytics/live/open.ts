import { credentialOf } from "../../../platform/auth/credential.ts";
import { limitReached, notResponding } from "../../../platform/http/errors.ts";
import { MAX_LIVE_SOCKETS_PER_ACCOUNT, MAX_LIVE_SOCKETS_PER_CREDENTIAL } from "../../../limits.ts";
import { toFilters } from "../filters.ts";
import type { LiveClicksQuery } from "../query-contract.ts";
import { selectLinks } from "../selection.ts";
import { clickLogOf, queryClickLog } from "../../../click-log/log/stub.ts";
import type { LiveRefusal } from "../../../click-log/log/live.ts";
import type { View } from "../../../click-log/log/live-viewer.ts";
import type { Principal, RequestContext } from "../../../platform/auth/principal.ts";
import { LIVE_SOCKET_TTL_MS } from "../limits.ts";

type Context = Pick<RequestContext, "env" | "db" | "principal" | "now" | "baseUrl">;

/** Opens a WebSocket with the new clicks of the links that the query selects now. Throws a 409 if too many are open. */
export async function openLiveClicks(context: Context, query: LiveClicksQuery): Promise<WebSocket> {
  const { env, principal, now } = context;
  const { accountId } = principal;
  const view: View = {
    accountId,
    viewer: credentialOf(principal),
    links: await selectLinks(context, query),
    filters: toFilters(query),
    allowedAt: now,
    expiresAt: Math.min(now + LIVE_SOCKET_TTL_MS, endOf(principal)),
  };
  const id = crypto.randomUUID();
  // Apart from the request of the WebSocket: a selection of 10,000 links does not fit into its headers.
  await queryClickLog(context, (log) => log.announceView(id, view));
  const headers = { Upgrade: "websocket" };
  const response = await clickLogOf(env, accountId).fetch(`https://click-log/${id}`, { headers });
  if (response.webSocket !== null) return response.webSocket;
  throw refused((await response.text()) as LiveRefusal);
}

/** When the key expires, Unix milliseconds. The end of a session is found when clicks are sent. */
function endOf(principal: Principal): number {
  return (principal.type === "key" ? principal.expiresAt : null) ?? Infinity;
}

function refused(refusal: LiveRefusal): Error {
  if (refusal === "account")
    return limitReached("too_many_running", { resource: "socket", max: MAX_LIVE_SOCKETS_PER_ACCOUNT });
  if (refusal === "credential")
    return limitReached("too_many_running", {
      resource: "socket_of_credential",
      max: MAX_LIVE_SOCKETS_PER_CREDENTIAL,
    });
  return notResponding("The WebSocket could not be opened. Try again.");
}
