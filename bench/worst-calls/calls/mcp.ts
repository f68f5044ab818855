import { MAX_URL_CHARS } from "../../../src/limits.ts";
import { MAX_TOOL_ITEMS } from "../../../src/mcp/limits.ts";
import type { Ask } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";

// Tools of assistants. Each calls the API, whose own worst calls are measured too.

const callTool = (name: string, args: object): Ask => ({
  method: "POST",
  path: "/mcp",
  headers: { Accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
});

const longestUrl = () => `https://example.com/${randomText(MAX_URL_CHARS - 60)}`;

export const mcpCalls = {
  "POST /mcp": [
    {
      what: `${MAX_TOOL_ITEMS} links with the longest URLs are created`,
      prepare: () =>
        callTool("create_links", { links: Array.from({ length: MAX_TOOL_ITEMS }, () => ({ url: longestUrl() })) }),
    },
    {
      what: "the clicks of a year, in all dimensions",
      prepare: () => callTool("get_analytics", { interval: "1y", compare: "previous" }),
    },
  ],
} satisfies Record<string, WorstCall[]>;
