import type { Domain } from "../../domains/contract.ts";
import type { Link } from "../../links/contract.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { MAX_MESSAGE_TEXT_CHARS, MAX_MESSAGE_URL_CHARS } from "../limits.ts";
import type { WebhookFormat } from "../formats.ts";

// Messages about events for chat services. Titles, tags and click records are texts of strangers: no format renders them as
// mark-up, and none can mention a group of people.

type ChatFormat = Exclude<WebhookFormat, "event">;

/** What a message says, as plain texts. */
interface Message {
  /** The sentence that people read first. */
  headline: string;
  /** Addresses, the short one first. */
  urls: string[];
  details: string[];
}

/** The part of a click record that a message shows. */
interface Click {
  link: Pick<Link, "shortUrl">;
  geo: { country: string | null; city: string | null };
  browser: string | null;
  os: string | null;
  source: string | null;
}

/**
 * Makes the body for the incoming webhook of a chat service of the body of an event:
 * Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks),
 * Discord (https://docs.discord.com/developers/resources/webhook#execute-webhook), and
 * Teams (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
export function toMessage(body: string, format: ChatFormat): string {
  const { event, data } = JSON.parse(body) as { event: EventType; data: unknown };
  return JSON.stringify(RENDER[format](MESSAGES[event](data)));
}

const MESSAGES: Record<EventType, (data: unknown) => Message> = {
  "link.click": (data) => {
    const { link, geo, browser, os, source } = data as Click;
    const details = [present(geo.city, geo.country).join(", "), present(browser, os).join(" on ")].filter(Boolean);
    if (source !== null) details.push(`from ${source}`);
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
  const details = [
    ...present(title),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(", ")}`]),
    ...(destination?.state === "broken" ? ["Its destination is broken."] : []),
  ];
  return { headline, urls: [shortUrl, url], details };
}

const present = (...texts: (string | null)[]): string[] => texts.filter((text) => text !== null);

const RENDER: Record<ChatFormat, (message: Message) => object> = {
  // Escaped as Slack asks, so that `<!channel>` stays a text.
  slack: (message) => ({ text: toText(message, (text) => `*${escapeSlack(text)}*`, escapeSlack, escapeSlack) }),
  discord: (message) => ({
    content: toText(
      message,
      (text) => `**${escapeMarkdown(text)}**`,
      (url) => `<${new URL(url).href}>`,
      escapeMarkdown,
    ),
    allowed_mentions: { parse: [] },
  }),
  // Text runs are plain texts.
  teams: ({ headline, urls, details }) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          version: "1.2",
          body: [
            { type: "RichTextBlock", inlines: [{ type: "TextRun", weight: "Bolder", text: clip(headline) }] },
            ...[...urls.map(shownUrl), ...details.map(clip)].map((text) => ({
              type: "RichTextBlock",
              spacing: "Small",
              inlines: [{ type: "TextRun", text }],
            })),
          ],
          actions: urls.slice(0, 1).map((url) => ({ type: "Action.OpenUrl", title: "Open the short link", url })),
        },
      },
    ],
  }),
};

/** A line for each part of the message. */
function toText(
  { headline, urls, details }: Message,
  bold: (text: string) => string,
  link: (url: string) => string,
  plain: (text: string) => string,
): string {
  const addresses = urls.map((url) => (url.length > MAX_MESSAGE_URL_CHARS ? plain(shownUrl(url)) : link(url)));
  return [bold(clip(headline)), ...addresses, ...details.map((text) => plain(clip(text)))].join("\n");
}

/** A long URL is shown in part, so it is no link. */
function shownUrl(url: string): string {
  return url.length > MAX_MESSAGE_URL_CHARS ? `${url.slice(0, MAX_MESSAGE_URL_CHARS).toWellFormed()}…` : url;
}

/** In one line, and not longer than {@link MAX_MESSAGE_TEXT_CHARS}. */
function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MAX_MESSAGE_TEXT_CHARS ? `${line.slice(0, MAX_MESSAGE_TEXT_CHARS).toWellFormed()}…` : line;
}

function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_~|<>#[\]()-]/g, String.raw`\$&`);
}
