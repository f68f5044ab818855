import { call } from "../support/api.ts";

interface Reply {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface ToolReply {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The version of a message without `initialize`. */
const MODERN = "2026-07-28";

/** Sends a message of a client of the 2025 protocols, which `/mcp` answers without a session. */
export async function send(key: string | undefined, method: string, params: unknown = {}): Promise<Reply> {
  const response = await post(key, { jsonrpc: "2.0", id: 1, method, params });
  return readReply(await response.text());
}

export function post(key: string | undefined, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return call("POST", "/mcp", {
    ...(key !== undefined && { key }),
    body,
    headers: { Accept: "application/json, text/event-stream", ...headers },
  });
}

/** Sends a message of protocol 2026-07-28. `params` may have more than a request of the 2025 protocols. */
export async function sendModern(
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: Record<string, unknown> = {},
): Promise<Reply> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const headers: Record<string, string> = { "MCP-Protocol-Version": MODERN, "Mcp-Method": method };
  if (typeof params["name"] === "string") headers["Mcp-Name"] = params["name"];
  if (typeof params["uri"] === "string") headers["Mcp-Name"] = params["uri"];
  const response = await post(key, { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }, headers);
  return readReply(await response.text());
}

/** A reply is JSON, or the only event of a stream. */
function readReply(text: string): Reply {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text) as Reply;
}

/** Calls a tool. */
export async function callTool(key: string, name: string, args: Record<string, unknown> = {}): Promise<ToolReply> {
  const { result, error } = await send(key, "tools/call", { name, arguments: args });
  if (result === undefined) throw new Error(`${name}: ${error?.message}`);
  return result as unknown as ToolReply;
}

/** The structured content of a tool that must not fail. */
export async function dataOf<T>(key: string, name: string, args: Record<string, unknown> = {}): Promise<T> {
  const reply = await callTool(key, name, args);
  if (reply.isError === true) throw new Error(`${name}: ${textOf(reply)}`);
  return reply.structuredContent as T;
}

export const textOf = ({ content }: ToolReply) => content.map(({ text = "" }) => text).join("\n");
