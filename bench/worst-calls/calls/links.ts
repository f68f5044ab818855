import type { Link } from "../../../src/links/contract.ts";
import { MAX_PAGE_NUMBER, MAX_PAGE_SIZE_ITEMS, MAX_URL_CHARS } from "../../../src/limits.ts";
import { createHeavyLinks, type FilledAccount } from "../account.ts";
import { invalidBulk, largestBulk, largestLink, randomText } from "../bodies.ts";
import { get, idempotent, type WorstCall } from "./call.ts";

const PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}`;

/** The largest changes of a link, different each time. */
const changes = () => JSON.stringify(largestLink());

async function createHeavyLink({ ask }: FilledAccount): Promise<string> {
  const { link } = await ask<{ link: Link }>({ method: "POST", path: "/api/links", body: changes() });
  return link.id;
}

const heavyLink = ({ heavyLinks }: FilledAccount, n = 0) => heavyLinks[n % heavyLinks.length];

const longUrl = () => `https://bücher.example/${randomText(MAX_URL_CHARS - 60)}`;

export const linkCalls = {
  "POST /api/links": [
    {
      what: "a link of 64 KiB for all webhooks, with an idempotency key",
      prepare: () => ({ method: "POST", path: "/api/links", body: changes(), headers: idempotent() }),
    },
  ],
  "GET /api/links": [
    get("a page of 100 links of 50 KB", () => `/api/links?${PAGE}`),
    get(
      "in order of clicks, with a tag and a text that most links have, counted",
      () => `/api/links?${PAGE}&sort=clicks&tag=common&search=www.shop&archived=include&count=true`,
    ),
    get("the last page by number, with a text", () => `/api/links?${PAGE}&page=${MAX_PAGE_NUMBER}&search=www.shop`),
  ],
  "GET /api/links/:id": [get("a link of 50 KB", (account) => `/api/links/${heavyLink(account)}`)],
  "GET /api/links/by-url": [
    {
      what: "a link of 50 KB",
      prepare: async (account) => {
        const { link } = await account.ask<{ link: Link }>({
          method: "GET",
          path: `/api/links/${heavyLink(account)}`,
        });
        return { method: "GET", path: `/api/links/by-url?url=${encodeURIComponent(link.shortUrl)}` };
      },
    },
  ],
  "PATCH /api/links/:id": [
    {
      what: "64 KiB of changes for all webhooks",
      prepare: (account, n) => ({ method: "PATCH", path: `/api/links/${heavyLink(account, n)}`, body: changes() }),
    },
  ],
  "DELETE /api/links/:id": [
    {
      what: "a link of 64 KiB, for all webhooks",
      prepare: async (account) => ({ method: "DELETE", path: `/api/links/${await createHeavyLink(account)}` }),
    },
  ],
  "POST /api/links/:id/restore": [
    {
      what: "a link of 64 KiB, for all webhooks",
      prepare: async (account) => {
        const path = `/api/links/${await createHeavyLink(account)}`;
        await account.ask({ method: "DELETE", path });
        return { method: "POST", path: `${path}/restore` };
      },
    },
  ],
  "POST /api/links/bulk": [
    {
      what: "5 MiB: 100 links of 50 KB for all webhooks, with an idempotency key",
      prepare: () => ({ method: "POST", path: "/api/links/bulk", body: largestBulk(), headers: idempotent() }),
      isScarce: true,
    },
    {
      what: "200,000 values, of which nearly each is an error",
      prepare: () => ({ method: "POST", path: "/api/links/bulk", body: invalidBulk() }),
      isScarce: true,
    },
  ],
  "PATCH /api/links/bulk": [
    {
      what: "60 KiB of changes to 100 links, for all webhooks",
      prepare: ({ heavyLinks }) => ({
        method: "PATCH",
        path: "/api/links/bulk",
        body: JSON.stringify({ ids: heavyLinks, changes: largestLink({}, 60 * 1_024) }),
      }),
      isScarce: true,
    },
  ],
  "DELETE /api/links/bulk": [
    {
      what: "100 links of 50 KB, for all webhooks",
      prepare: async (account) => ({
        method: "DELETE",
        path: "/api/links/bulk",
        body: JSON.stringify({ ids: await createHeavyLinks(account) }),
      }),
      isScarce: true,
    },
  ],
  "PUT /api/links/upsert": [
    {
      what: "64 KiB of changes for all webhooks, with an idempotency key",
      prepare: (_, n) => ({
        method: "PUT",
        path: "/api/links/upsert",
        body: JSON.stringify(largestLink({ externalId: `worst-${n}` })),
        headers: idempotent(),
      }),
    },
  ],
  "POST /api/shorten (authenticated)": [
    {
      what: "the longest URL, for one webhook, with an idempotency key",
      prepare: () => ({
        method: "POST",
        path: "/api/shorten",
        body: JSON.stringify({ url: longUrl() }),
        headers: idempotent(),
      }),
    },
  ],
  "POST /api/shorten (anonymous)": [
    {
      what: "the longest URL",
      prepare: () => ({ method: "POST", path: "/api/shorten", body: JSON.stringify({ url: longUrl() }), key: null }),
    },
  ],
} satisfies Record<string, WorstCall[]>;
