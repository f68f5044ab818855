import { EVENT_TYPES, type EventType } from "../../outbox/event-types.ts";

/** The event types that a template can be for. A test ping shows what the others make of examples. */
export type TemplateEvent = Exclude<EventType, "webhook.test">;

export const TEMPLATE_EVENTS = EVENT_TYPES.filter((type) => type !== "webhook.test");

/** The templates of a webhook, by event type. */
export type Templates = { readonly [Type in TemplateEvent]?: string | undefined };

/** A browser or a system that a click record does not name. */
export const UNKNOWN = "other";

/** The names of placeholders, and where their values are in the body of the event. */
type Paths = Readonly<Record<string, string>>;

const pathsOf = (thing: string, at: string, fields: readonly string[]): Paths =>
  Object.fromEntries(fields.map((field) => [`${thing}.${field}`, `${at}.${field}`]));

const EVENT = { "event.time": "timestamp" };

const ADDRESS = ["shortUrl", "url", "slug", "domain", "id"];

const LINK_SETTINGS = ["title", "tags", "status", "externalId", "clicks", "maxClicks"];
const LINK_TIMES = ["startsAt", "expiresAt", "createdAt", "updatedAt"];

const LINK = { ...pathsOf("link", "data", [...ADDRESS, ...LINK_SETTINGS, ...LINK_TIMES]), ...EVENT };

const CLICK = {
  ...pathsOf("link", "data.link", ADDRESS),
  ...pathsOf("click", "data.geo", ["country", "city", "region", "continent"]),
  ...pathsOf("click", "data", ["device", "browser", "os", "referrer", "source", "trigger"]),
  "click.targetUrl": "data.target.url",
  "click.utmSource": "data.utm.source",
  "click.utmMedium": "data.utm.medium",
  "click.utmCampaign": "data.utm.campaign",
  "click.utmTerm": "data.utm.term",
  "click.utmContent": "data.utm.content",
  ...EVENT,
};

const DOMAIN = { "domain.name": "data.domain", ...pathsOf("domain", "data", ["status", "id"]), ...EVENT };

const PATHS: Readonly<Record<TemplateEvent, Paths>> = {
  "link.click": CLICK,
  "link.create": LINK,
  "link.update": LINK,
  "link.delete": LINK,
  "link.expired": { ...LINK, "link.reason": "data.reason" },
  "domain.verified": DOMAIN,
  "domain.lost": DOMAIN,
};

/** The names of the placeholders of an event type, in the order in which they are shown. */
export const placeholdersOf = (type: TemplateEvent): string[] => Object.keys(PATHS[type]);

const URLS = new Set(["link.shortUrl", "link.url", "click.targetUrl"]);
const TIMES = new Set(["event.time", ...LINK_TIMES.map((field) => `link.${field}`)]);
const NAMES_OF_CLIENTS = new Set(["click.browser", "click.os"]);

/** Whether the value is a URL, which is shown as a link. */
export const isUrlPlaceholder = (name: string): boolean => URLS.has(name);

/** The value as text. Null: the event has none, such as the country of an unknown address. */
export function readPlaceholder(name: string, event: { event: EventType }): string | null {
  const path = event.event === "webhook.test" ? undefined : PATHS[event.event][name];
  let value: unknown = path === undefined ? null : event;
  for (const key of path?.split(".") ?? []) value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value === UNKNOWN && NAMES_OF_CLIENTS.has(name)) return null;
  if (Array.isArray(value)) return value.join(", ") || null;
  if (typeof value === "number" && TIMES.has(name)) return toText(value);
  return typeof value === "string" || typeof value === "number" ? String(value) || null : null;
}

/** Such as `2026-09-21 14:13 UTC`. */
const toText = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
