import type { z } from "@hono/zod-openapi";
import type { ClickRecord } from "../../clicks/analytics/record-contract.ts";
import type { Domain } from "../../domains/contract.ts";
import type { Link } from "../../links/contract.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import type { ChatFormat } from "../formats.ts";
import { MAX_MESSAGE_TEXT_CHARS, MAX_MESSAGE_URL_CHARS } from "../limits.ts";

// Messages about events for chat services. Titles, tags and click records are texts of strangers: no service renders them as
// mark-up or as links, and none of them can mention a group of people. With the limits of texts and URLs, every message is
// shorter than what each service takes.

/** What a message says, as plain texts. */
interface Message {
  /** The sentence that people read first. */
  headline: string;
  /** Addresses, the short one first. */
  urls: string[];
  details: string[];
}

/** A browser or a system that a click record does not name. */
const UNKNOWN = "other";

type ClickData = Pick<z.infer<typeof ClickRecord>, "geo" | "browser" | "os" | "source"> & {
  link: Pick<Link, "shortUrl">;
};

/**
 * Makes the body for the incoming webhook of a chat service of the body of an event. The same event makes the same bytes.
 * Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook,
 * Teams: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using.
 */
export function toMessage(body: string, format: ChatFormat): string {
  const { event, data } = JSON.parse(body) as { event: EventType; data: unknown };
  const { headline, urls, details } = MESSAGES[event](data);
  return JSON.stringify(
    RENDER[format]({
      headline: clip(headline),
      urls: urls.map((url) => URL.parse(url)?.href ?? url),
      details: details.map(clip),
    }),
  );
}

const MESSAGES: Record<EventType, (data: unknown) => Message> = {
  "link.click": (data) => {
    const { link, geo, browser, os, source } = data as ClickData;
    const client = [browser, os].filter((name) => name !== UNKNOWN);
    const from = source === null ? null : `from ${source}`;
    const details = present(present(geo.city, geo.country).join(", "), client.join(" on "), from);
    return { headline: "A short link was visited", urls: [link.shortUrl], details };
  },
  "link.create": (data) => aboutLink("A link was created", data),
  "link.update": (data) => aboutLink("A link was changed", data),
  "link.delete": (data) => aboutLink("A link was deleted", data),
  "link.expired": (data) => aboutLink("A link has expired", data),
  "domain.verified": (data) => ({
    headline: `The domain ${(data as Domain).domain} is verified`,
    urls: [],
    details: [],
  }),
  "domain.lost": (data) => ({
    headline: `The TXT record of the domain ${(data as Domain).domain} is missing`,
    urls: [],
    details: ["After a week without the record its links stop working."],
  }),
  "webhook.test": () => ({ headline: "This is a test message: events will appear here", urls: [], details: [] }),
};

function aboutLink(headline: string, data: unknown): Message {
  const { shortUrl, url, title, tags, destination } = data as Link;
  const tagged = tags.length === 0 ? null : `Tags: ${tags.join(", ")}`;
  const broken = destination?.state === "broken" ? "Its destination is broken." : null;
  return { headline, urls: [shortUrl, url], details: present(title, tagged, broken) };
}

const present = (...texts: (string | null)[]): string[] => texts.filter((text) => text !== null).filter(Boolean);

const RENDER: Record<ChatFormat, (message: Message) => object> = {
  // `text` is only shown where the blocks cannot be. It is escaped as Slack asks.
  slack: ({ headline, urls, details }) => {
    const lines = [
      { type: "text", text: headline, style: { bold: true } },
      ...urls.map((url) => (isLong(url) ? { type: "text", text: beginningOf(url) } : { type: "link", url })),
      ...details.map((text) => ({ type: "text", text })),
    ];
    const elements = lines.flatMap((line, index) => (index === 0 ? [line] : [{ type: "text", text: "\n" }, line]));
    const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
    return { text: escapeSlack(headline), blocks, unfurl_links: false };
  },
  discord: ({ headline, urls, details }) => {
    const addresses = urls.map((url) => (isLong(url) ? escapeMarkdown(beginningOf(url)) : `<${url}>`));
    const lines = [`**${escapeMarkdown(headline)}**`, ...addresses, ...details.map(escapeMarkdown)];
    return { content: lines.join("\n"), allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
  },
  teams: ({ headline, urls, details }) => {
    const addresses = urls.map((url) =>
      isLong(url) ? toBlock(beginningOf(url)) : toBlock(url, { selectAction: { type: "Action.OpenUrl", url } }),
    );
    const content = {
      type: "AdaptiveCard",
      version: "1.2",
      body: [toBlock(headline, { weight: "Bolder" }), ...addresses, ...details.map((text) => toBlock(text))],
      actions: urls.slice(0, 1).map((url) => ({ type: "Action.OpenUrl", title: "Open the short link", url })),
    };
    return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
  },
};

/** A line of a card for Teams, as plain text. */
const toBlock = (text: string, style: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...style }],
});

/** The flag of a Discord message without previews of its links. */
const SUPPRESS_EMBEDS = 1 << 2;

/** A long URL is shown in part, and is no link. */
const isLong = (url: string): boolean => url.length > MAX_MESSAGE_URL_CHARS;
const beginningOf = (url: string): string => `${url.slice(0, MAX_MESSAGE_URL_CHARS).toWellFormed()}…`;

/** In one line, and not longer than {@link MAX_MESSAGE_TEXT_CHARS}. */
function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_TEXT_CHARS ? `${line.slice(0, MAX_MESSAGE_TEXT_CHARS).toWellFormed()}…` : line;
}

function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Without the colon, a URL in the text would become a link. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_~|<>#[\]():-]/g, String.raw`\$&`);
}
