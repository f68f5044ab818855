import type { z } from "@hono/zod-openapi";
import type { ClickRecord } from "../../analytics/record-contract.ts";
import type { Domain } from "../../domains/contract.ts";
import type { Link } from "../../links/contract.ts";
import type { EventType } from "../../outbox/event-types.ts";
import type { ChatFormat } from "../formats.ts";
import { EXAMPLES } from "./examples.ts";
import { TEMPLATE_EVENTS, UNKNOWN, type Templates } from "./placeholders.ts";
import { renderTemplate } from "./render-template.ts";
import { clip, plainText, toLines, toUrlRun, type Lines, type Run } from "./runs.ts";
import { toServiceBody } from "./services.ts";

/** What a message says without a template, as plain texts. */
interface Message {
  /** The sentence that people read first. */
  headline: string;
  /** Addresses, the short one first. */
  urls: string[];
  details: string[];
}

type ClickData = Pick<z.infer<typeof ClickRecord>, "geo" | "browser" | "os" | "source"> & {
  link: Pick<Link, "shortUrl">;
};

/** Makes the body for the incoming webhook of a chat service of the body of an event. The same event and templates make the same bytes. */
export function toMessage(body: string, format: ChatFormat, templates: Templates | null): string {
  const { lines, button } = writeMessage(JSON.parse(body) as MessageEvent, templates);
  return toServiceBody(lines, format, button);
}

/** An event as it is in a body. */
export interface MessageEvent {
  event: EventType;
  data: unknown;
}

/** What a message says: by the template for the event type, or what is fixed. `button`: an address that a button opens. */
export function writeMessage(event: MessageEvent, templates: Templates | null): { lines: Lines; button?: string } {
  const type = event.event;
  const template = type === "webhook.test" ? undefined : templates?.[type];
  if (template !== undefined) {
    const lines = toLines(renderTemplate(template, event));
    // Chat services refuse an empty message.
    if (plainText(lines).trim() !== "") return { lines };
  }
  const { headline, urls, details } = MESSAGES[type](event.data);
  const lines: Run[][] = [
    [{ text: clip(headline), bold: true }],
    ...urls.map((url) => [toUrlRun(url)]),
    ...details.map((text) => [{ text: clip(text) }]),
  ];
  const samples = type === "webhook.test" ? sampleLines(templates ?? {}) : [];
  const [button] = urls.map((url) => URL.parse(url)?.href ?? url);
  return { lines: [...lines, ...samples], ...(button !== undefined && { button }) };
}

/** What the templates make of the example events, each after an empty line. */
function sampleLines(templates: Templates): Lines {
  const runs: Run[] = [];
  for (const type of TEMPLATE_EVENTS) {
    const template = templates[type];
    if (template !== undefined) runs.push({ text: "\n\n" }, ...renderTemplate(template, EXAMPLES[type]));
  }
  return toLines(runs).slice(1);
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
