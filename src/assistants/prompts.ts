import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "@hono/zod-openapi";
import { MAX_TOOL_ITEMS } from "./limits.ts";

const say = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] });

/** Tasks that a person starts from the menu of their client. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "campaign_report",
    {
      title: "Campaign report",
      description: "What the links of a tag achieved in a period, compared with the period before.",
      argsSchema: z.object({
        tag: z.string().describe("The tag of the campaign's links."),
        interval: z.string().optional().describe("7d, 30d, 90d, mtd or 1y; by default 30d."),
      }),
    },
    ({ tag, interval = "30d" }) =>
      say(
        `Write a report of the campaign with the tag ${JSON.stringify(tag)}. Call get_analytics once with this tag, interval ${JSON.stringify(interval)}, compare "previous" and the breakdowns by countries, devices, sources and UTM campaigns. Give the totals and the change against the period before, the links by clicks, and where visitors came from. Say plainly if there are too few clicks for a conclusion.`,
      ),
  );
  server.registerPrompt(
    "create_links_for_pages",
    {
      title: "Create links for these pages",
      description: `Short links for up to ${MAX_TOOL_ITEMS} pages, with a common tag.`,
      argsSchema: z.object({
        pages: z.string().describe("The URLs of the pages, one a line."),
        tag: z.string().optional().describe("A tag for all of them."),
      }),
    },
    ({ pages, tag }) =>
      say(
        `Create a short link for each of these pages, with one call of create_links for every ${MAX_TOOL_ITEMS} of them${tag === undefined ? "" : ` and the tag ${JSON.stringify(tag)}`}. Give each a title and a short slug that can be read aloud. If a slug is taken, choose another one. Then list the pages with their short URLs in a table.\n\n${pages}`,
      ),
  );
}
