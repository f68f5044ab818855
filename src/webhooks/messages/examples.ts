import type { EventType } from "../../outbox/event-types.ts";
import type { TemplateEvent } from "./placeholders.ts";

// Events with a value for each placeholder, for test pings and previews.

const TIME = 1_790_000_000_000;
const DAY = 86_400_000;

const ADDRESS = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  slug: "Spring-26",
  domain: "go.example",
  shortUrl: "https://go.example/Spring-26",
  url: "https://example.com/spring?ref=poster",
};

const LINK = {
  ...ADDRESS,
  title: "Spring sale",
  tags: ["sale", "poster"],
  status: "active",
  externalId: "product-17",
  clicks: 1_024,
  maxClicks: 5_000,
  startsAt: TIME,
  expiresAt: TIME + 30 * DAY,
  createdAt: TIME,
  updatedAt: TIME,
};

const CLICK = {
  geo: { country: "DE", region: "DE-BE", city: "Berlin", continent: "EU" },
  device: "mobile",
  browser: "Safari",
  os: "iOS",
  referrer: "www.news.example",
  source: "news.example",
  trigger: "link",
  target: { url: "https://example.com/spring?ref=poster&utm_source=newsletter" },
  utm: { source: "newsletter", medium: "email", campaign: "spring", term: "sale", content: "top" },
  link: ADDRESS,
};

const DOMAIN = { id: "01920b5c-7d6a-7c3e-9b1f-3c4d5e6f7a8b", domain: "go.example", status: "verified" };

const example = (event: EventType, data: object) => ({ event, timestamp: TIME, data });

export const EXAMPLES: Readonly<Record<TemplateEvent, { event: EventType; data: object }>> = {
  "link.click": example("link.click", CLICK),
  "link.create": example("link.create", LINK),
  "link.update": example("link.update", LINK),
  "link.delete": example("link.delete", LINK),
  "link.expired": example("link.expired", { ...LINK, status: "expired", reason: "expiresAt" }),
  "domain.verified": example("domain.verified", DOMAIN),
  "domain.lost": example("domain.lost", DOMAIN),
};
