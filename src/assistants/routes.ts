import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { AuthEnv } from "../platform/auth/principal.ts";
import { challengeOf } from "../platform/auth/challenge.ts";
import { failIncomplete } from "../platform/http/body.ts";
import { crossSite, insufficientScope } from "../platform/http/errors.ts";
import { findRepeatedKey, mayRepeatKeys } from "../platform/http/json-keys.ts";
import { isSameSite, publicOrigin } from "../platform/http/origin.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { apiFor, type ServeApi } from "./api.ts";
import { readLimited } from "../platform/lib/read-limited.ts";
import { MAX_MCP_BODY_BYTES } from "./limits.ts";
import { mayAskForMore, scopesToAskFor } from "./scopes.ts";
import { createServer } from "./server.ts";

/**
 * Answers a message of the Model Context Protocol, without a session: of protocol 2026-07-28, and of the 2025 protocols
 * with `initialize`. The caller is authenticated; its tools call the API by `serve`.
 */
export async function serveMcp(c: Context<AuthEnv>, serve: ServeApi): Promise<Response> {
  const { principal, baseUrl, requestId } = c.get("context");
  const request = c.req.raw;
  // A web page must not reach the server with the help of a browser (transports, security).
  if (request.headers.has("Origin") && !isSameSite(request.headers, baseUrl))
    throw crossSite("Web pages of other sites cannot call /mcp.");
  const body = await readLimited(request.body, MAX_MCP_BODY_BYTES + 1).catch(failIncomplete);
  const text = new TextDecoder().decode(body);
  const repeated = mayRepeatKeys(body) ? findRepeatedKey(text) : null;
  if (repeated !== null) return c.json(repeatedKey(repeated), 400);
  if (mayAskForMore(principal)) requireScopes(c, text);
  const { url, method, headers: given } = request;
  const message = new Request(url, { method, headers: given, body: body.byteLength > 0 ? body.slice() : null });
  const handler = createMcpHandler(() => createServer(apiFor(request, principal, serve), principal), {
    maxRequestBodySize: MAX_MCP_BODY_BYTES,
    onerror: (error) => log("warn", "mcp_request_failed", { requestId, ...describeError(error) }),
  });
  const { body: answer, status, headers } = await handler.fetch(message);
  // With the headers of the rate limit, which are set already.
  return c.newResponse(answer, status as StatusCode, Object.fromEntries(headers));
}

/** The error of a message that would lose a value without a word (JSON-RPC 2.0, 5.1: Invalid Request). */
const repeatedKey = (path: string) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_600, message: `${path} is given more than once. Give each name once.` },
});

/** Throws a 403 that asks for more scopes, if the message calls a tool that needs some. */
function requireScopes(c: Context<AuthEnv>, message: string): void {
  const missing = scopesToAskFor(c.get("context").principal, message);
  if (missing.length > 0) throw insufficientScope(missing, challengeOf(publicOrigin(c), "/mcp", "insufficient_scope"));
}
