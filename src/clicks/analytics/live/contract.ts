import { createRoute } from "@hono/zod-openapi";
import { conflicting, json, operation } from "../../../platform/http/contract.ts";
import { ErrorBody } from "../../../platform/http/error-body.ts";
import {
  MAX_LIVE_CLICKS_PER_MESSAGE,
  MAX_LIVE_MESSAGES,
  MAX_LIVE_SOCKETS_PER_ACCOUNT,
  MAX_LIVE_SOCKETS_PER_CREDENTIAL,
  MINUTE_MS,
} from "../../../limits.ts";
import { liveClicksQuery } from "../query-contract.ts";
import { LIVE_SOCKET_TTL_MS } from "../limits.ts";

const MESSAGES = `The first message is \`{"expiresAt": …}\`: when the service closes the WebSocket, after ${LIVE_SOCKET_TTL_MS / MINUTE_MS} minutes. The others are \`{"clicks": […], "total": …}\`, at most ${MAX_LIVE_MESSAGES} a second: \`total\` is the number of new clicks, and \`clicks\` has the newest ${MAX_LIVE_CLICKS_PER_MESSAGE} of them as \`ClickRecord\`.`;

export const watchClicks = createRoute({
  ...operation("get", "/api/clicks/live", "Clicks", "Watch clicks"),
  description: "A WebSocket with new clicks, without those of crawlers. Clients may only send the text `ping`.",
  request: { query: liveClicksQuery },
  responses: {
    101: { description: MESSAGES },
    ...conflicting(
      `The account has ${MAX_LIVE_SOCKETS_PER_ACCOUNT} such WebSockets open, or the key or session ${MAX_LIVE_SOCKETS_PER_CREDENTIAL}.`,
    ),
    426: json(ErrorBody, "The request does not ask for a WebSocket."),
  },
});
