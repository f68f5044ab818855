import { MAX_PAGE_NUMBER, MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import type { FilledAccount } from "../account.ts";
import { largestLogo, randomText } from "../bodies.ts";
import { get, scarce, type WorstCall } from "./call.ts";
import { MAX_QR_SIZE_PX } from "../../../src/qr/limits.ts";

/** A range of twenty years has monthly buckets; all clicks lie in it. */
export const LONGEST = "start=2012-01-01&end=2031-12-31&timezone=Australia/Lord_Howe";
export const FILTERS = "device=mobile&os=iOS&continent=EU";
export const COMPARED = "interval=1y&bucket=day&compare=previous&page=10&country=!AQ";
const LAST_PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}&page=${MAX_PAGE_NUMBER}`;

const WEBSOCKET = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const ofLink = ({ busyLink }: FilledAccount) => `/api/links/${busyLink}/clicks`;

const styleOfDomain = ({ domains }: FilledAccount) => `/api/domains/${domains[0]}/qr-style`;

/** Bytes of a code of the largest version at the level L. */
const LARGEST_CODE_BYTES = 2_953;

export const clickCalls = {
  "GET /api/links/:id/clicks": [
    get("all clicks of the busiest link, filtered", (account) => `${ofLink(account)}?${LONGEST}&${FILTERS}`),
    get("all but one country, in days and compared", (account) => `${ofLink(account)}?${COMPARED}`),
  ],
  "GET /api/links/:id/clicks/records": [
    scarce(
      get("all clicks of the busiest link as CSV", (account) => `${ofLink(account)}/records?interval=90d&format=csv`),
    ),
    get(
      "the last page by number, filtered",
      (account) => `${ofLink(account)}/records?interval=90d&${LAST_PAGE}&${FILTERS}`,
    ),
    get("a filter that no click passes", (account) => `${ofLink(account)}/records?interval=90d&city=none`),
  ],
  "GET /api/clicks": [
    get("all clicks, filtered", () => `/api/clicks?${LONGEST}&${FILTERS}`),
    get("all but one country, in days and compared", () => `/api/clicks?${COMPARED}`),
  ],
  "GET /api/clicks/records": [
    scarce(get("all clicks as CSV", () => "/api/clicks/records?interval=90d&format=csv")),
    get("the last page by number, filtered", () => `/api/clicks/records?interval=90d&${LAST_PAGE}&${FILTERS}`),
    get("a filter that no click passes", () => "/api/clicks/records?interval=90d&city=none"),
  ],
  "GET /api/clicks/live": [
    {
      what: "a WebSocket with a tag that most links have",
      prepare: () => ({ method: "GET", path: `/api/clicks/live?tag=common&${FILTERS}`, headers: WEBSOCKET }),
    },
  ],
  "GET /api/links/:id/qr": [
    get("the largest PNG", ({ busyLink }) => `/api/links/${busyLink}/qr?format=png&size=${MAX_QR_SIZE_PX}&level=H`),
  ],
  "GET /api/domains/:id/qr-style": [get("a style with the largest logo", styleOfDomain)],
  "PUT /api/domains/:id/qr-style": [
    {
      what: "a style with the largest logo, whose code is decoded",
      prepare: (account) => ({
        method: "PUT",
        path: styleOfDomain(account),
        body: JSON.stringify({ qrStyle: { level: "H", dots: "round", logo: largestLogo() } }),
      }),
    },
  ],
  "POST /api/qr": [
    {
      what: "the largest PNG of the longest text",
      prepare: () => ({
        method: "POST",
        path: "/api/qr",
        body: JSON.stringify({
          content: randomText(LARGEST_CODE_BYTES),
          format: "png",
          size: MAX_QR_SIZE_PX,
          level: "L",
          margin: 0,
        }),
      }),
    },
    {
      what: "an SVG of the longest text at the level H, with the largest logo",
      prepare: () => ({
        method: "POST",
        path: "/api/qr",
        body: JSON.stringify({ content: randomText(1_273), level: "H", logo: largestLogo() }),
      }),
    },
  ],
} satisfies Record<string, WorstCall[]>;
