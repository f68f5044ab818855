import { MAX_DISCORD_CONTENT_CHARS, MAX_SLACK_TEXT_CHARS, MAX_TEAMS_BODY_BYTES } from "../limits.ts";
import type { ChatFormat } from "../formats.ts";
import { cutLines, plainText, type Lines, type Run } from "./runs.ts";

// Titles, tags and click records are texts of strangers: no service renders them as mark-up or as links, and none of them can
// mention a group of people.

interface Service {
  /** The body of the request. `button`: a URL that a button opens, where the service has buttons. */
  toBody: (lines: Lines, button?: string) => object;
  /** How much of `max` the message takes. */
  sizeOf: (lines: Lines) => number;
  max: number;
}

/**
 * Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks),
 * Discord (https://docs.discord.com/developers/resources/webhook#execute-webhook), and
 * Teams (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
const SERVICES: Record<ChatFormat, Service> = {
  slack: { toBody: toSlack, sizeOf: (lines) => plainText(lines).length, max: MAX_SLACK_TEXT_CHARS },
  discord: { toBody: toDiscord, sizeOf: (lines) => toContent(lines).length, max: MAX_DISCORD_CONTENT_CHARS },
  teams: {
    toBody: toTeams,
    sizeOf: (lines) => new TextEncoder().encode(JSON.stringify(toTeams(lines))).byteLength,
    max: MAX_TEAMS_BODY_BYTES,
  },
};

export function toServiceBody(lines: Lines, format: ChatFormat, button?: string): string {
  return JSON.stringify(SERVICES[format].toBody(fitLines(lines, format), button));
}

/** The lines, cut off where the service takes no more. */
export function fitLines(lines: Lines, format: ChatFormat): Lines {
  const { sizeOf, max } = SERVICES[format];
  if (sizeOf(lines) <= max) return lines;
  let kept = 0;
  for (let above = plainText(lines).length; above - kept > 1;) {
    const middle = Math.floor((kept + above) / 2);
    if (sizeOf(cutLines(lines, middle)) <= max) kept = middle;
    else above = middle;
  }
  return cutLines(lines, kept);
}

// Slack

/** `text` is only shown where the blocks cannot be. It is escaped as Slack asks. */
function toSlack(lines: Lines): object {
  const elements = lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ type: "text", text: "\n" }]),
    ...line.map(toSlackElement),
  ]);
  const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
  const first = lines.find((line) => line.length > 0) ?? [];
  return { text: escapeSlack(plainText([first])), blocks, unfurl_links: false };
}

function toSlackElement({ text, url, ...style }: Run): object {
  const styled = Object.keys(style).length === 0 ? {} : { style };
  if (url === undefined) return { type: "text", text, ...styled };
  return { type: "link", url, ...(text === url ? {} : { text }), ...styled };
}

function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// Discord

function toDiscord(lines: Lines): object {
  return { content: toContent(lines), allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
}

/** The flag of a Discord message without previews of its links. */
const SUPPRESS_EMBEDS = 1 << 2;

const toContent = (lines: Lines): string => lines.map((line) => toMarkdown(joined(line))).join("\n");

/** Neighbours of the same style are one run: between two code spans would be two backticks, which begin another one. */
function joined(line: readonly Run[]): Run[] {
  const runs: Run[] = [];
  for (const run of line) {
    const last = runs.at(-1);
    if (last !== undefined && keyOf(last) === keyOf(run))
      runs[runs.length - 1] = { ...last, text: last.text + run.text };
    else runs.push(run);
  }
  return runs;
}

const keyOf = ({ url, bold, italic, strike, code }: Run): string => JSON.stringify([url, bold, italic, strike, code]);

/** A mark is open as long as the runs have its style. */
function toMarkdown(line: readonly Run[]): string {
  const open: string[] = [];
  let content = "";
  for (const run of [...line, { text: "" }]) {
    const marks = marksOf(run);
    const kept = open.findIndex((mark) => !marks.includes(mark));
    const closed = kept === -1 ? [] : open.splice(kept);
    const opened = marks.filter((mark) => !open.includes(mark));
    open.push(...opened);
    // What closes and what opens would be one row of stars.
    const between = closed.length > 0 && opened.length > 0 ? ZERO_WIDTH_SPACE : "";
    content += `${closed.toReversed().join("")}${between}${opened.join("")}${toText(run)}`;
  }
  return content;
}

const ZERO_WIDTH_SPACE = "\u200B";

const marksOf = ({ bold, italic, strike }: Run): string[] => [
  ...(bold ? ["**"] : []),
  ...(italic ? ["*"] : []),
  ...(strike ? ["~~"] : []),
];

function toText({ text, url, code }: Run): string {
  // A code span has no escapes.
  const shown = code ? `\`${text.replaceAll("`", "'")}\`` : escapeMarkdown(text);
  if (url === undefined) return shown;
  return text === url ? `<${url}>` : `[${shown}](<${escapeTarget(url)}>)`;
}

/** Without the colon, a URL in the text would become a link. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_~|<>#[\]():-]/g, String.raw`\$&`);
}

/** What would end the target of a link. */
const escapeTarget = (url: string): string =>
  url.replaceAll(/[\\()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

// Teams

function toTeams(lines: Lines, button?: string): object {
  const content = {
    type: "AdaptiveCard",
    version: "1.2",
    body: lines.map((line) => ({ type: "RichTextBlock", inlines: line.length === 0 ? [EMPTY] : line.map(toTextRun) })),
    actions: button === undefined ? [] : [{ type: "Action.OpenUrl", title: "Open the short link", url: button }],
  };
  return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
}

/** A block of a card needs a text. */
const EMPTY = { type: "TextRun", text: "\u00A0" };

function toTextRun({ text, url, bold, italic, strike, code }: Run): object {
  return {
    type: "TextRun",
    text,
    ...(bold && { weight: "Bolder" }),
    ...(italic && { italic }),
    ...(strike && { strikethrough: true }),
    ...(code && { fontType: "Monospace" }),
    ...(url !== undefined && { selectAction: { type: "Action.OpenUrl", url } }),
  };
}
