import type { EventName, Link, WebhookEvent } from "@tern/sdk";
import { LISTENED_EVENTS } from "./events.ts";

export const SAMPLE_EVENTS = [...LISTENED_EVENTS, "webhook.test"] as const satisfies EventName[];

const HOUR_MS = 3_600_000;
const LINK_ID = "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

/** Returns a sample of the event that happened at `now`, as docs/api/events.md shows it. */
export function sampleOf(event: (typeof SAMPLE_EVENTS)[number], now: number): WebhookEvent {
  return { event, timestamp: now, data: DATA[event](now) } as WebhookEvent;
}

const DATA: Record<(typeof SAMPLE_EVENTS)[number], (now: number) => object> = {
  "link.create": sampleLink,
  "link.update": (now) => ({ ...sampleLink(now - HOUR_MS), title: "Summer sale", updatedAt: now }),
  "link.delete": (now) => sampleLink(now - HOUR_MS),
  "link.expired": (now) => ({
    ...sampleLink(now - HOUR_MS),
    status: "expired",
    visitors: "page",
    expiresAt: now,
    reason: "expiresAt",
  }),
  "link.click": sampleClick,
  "domain.verified": (now) => sampleDomain(now, true),
  "domain.lost": (now) => ({ ...sampleDomain(now - HOUR_MS, false), lostAt: now }),
  "webhook.test": () => ({ webhookId: "019ac3f0-6c3e-7b1f-8f4a-5c6d7e8f9b1f" }),
};

function sampleLink(createdAt: number): Link {
  return {
    id: LINK_ID,
    url: "https://example.com/spring?ref=poster",
    slug: "Launch-26",
    domain: "go.example",
    shortUrl: "https://go.example/Launch-26",
    title: "Spring sale",
    tags: ["sale"],
    status: "active",
    disabled: false,
    archived: false,
    aliases: [],
    startsAt: null,
    expiresAt: null,
    expiredUrl: null,
    maxClicks: null,
    hasPassword: false,
    passwordAttackedAt: null,
    ios: null,
    android: null,
    geo: {},
    rules: [],
    preview: null,
    redirectStatus: 302,
    passParameters: true,
    externalId: null,
    clicks: 0,
    importedClicks: 0,
    lastClickedAt: null,
    createdBy: null,
    createdAt,
    updatedAt: createdAt,
    verdict: { state: "allowed", reason: null, since: null },
    visitors: "redirect",
    destination: null,
  };
}

function sampleClick(clickedAt: number): object {
  const { id, slug, domain, shortUrl, url } = sampleLink(clickedAt);
  return {
    id: "019ac3f0-8e7b-7d4f-8c2a-3a5b6d7e8f90",
    linkId: id,
    clickedAt,
    geo: { country: "DE", region: "DE-BE", city: "Berlin", continent: "EU" },
    device: "mobile",
    browser: "Safari",
    os: "iOS",
    referrer: "news.example",
    source: "news.example",
    trigger: "link",
    target: { kind: "default", ruleId: null, url },
    utm: { source: null, medium: null, campaign: null, term: null, content: null },
    bot: false,
    link: { id, slug, domain, shortUrl, url },
  };
}

function sampleDomain(verifiedAt: number, isFound: boolean): object {
  return {
    id: "019ac3f0-5b4d-7a2e-9d0c-1e3f4a5b6c7d",
    domain: "events.acme.com",
    unicodeDomain: "events.acme.com",
    status: "verified",
    caseSensitive: false,
    pathForwarding: false,
    nestedSlugs: false,
    records: [
      {
        type: "TXT",
        name: "_tern-challenge.events.acme.com",
        value: "tern-verification=0f0e0d0c0b0a09080706050403020100",
        found: isFound,
      },
      { type: "CNAME", name: "events.acme.com", value: "go.example", found: true },
    ],
    notFoundUrl: null,
    rootUrl: null,
    appleAppSiteAssociation: null,
    assetLinks: null,
    brandName: null,
    brandLogo: null,
    brandColor: null,
    createdAt: verifiedAt - HOUR_MS,
    verifiedAt,
    lostAt: null,
  };
}
