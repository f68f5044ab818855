import { expect } from "vitest";
import { HOUR_MS } from "../../src/limits.ts";
import { insertDomain } from "../support/domains.ts";
import { internet, newService } from "../webhooks/support.ts";
import { NOW, type LinkData, type World } from "./task-world.ts";

interface Task {
  /** What the person asks. */
  ask: string;
  given?: (world: World) => Promise<unknown>;
  /** The most tokens of all arguments and results, each result counted as the larger of its two forms. */
  tokens: number;
  run: (world: World) => Promise<unknown>;
  /** What the structured content of the last call has. */
  data: unknown;
  /** What the text of the last call says. */
  text: RegExp;
}

const pages = ["a", "b", "c", "d", "e"].map((page) => ({ url: `https://example.com/${page}`, tags: ["march"] }));

export const TASKS: Task[] = [
  {
    ask: "Shorten these five pages with the tag march, and tell me which was clicked most last week.",
    tokens: 2_200,
    run: async ({ use, click }) => {
      const { links } = await use("create_links", { links: pages });
      await click(links[3] as LinkData, [{ at: NOW - HOUR_MS }, { at: NOW - HOUR_MS, ip: "203.0.113.2" }]);
      await click(links[1] as LinkData, [{ at: NOW - HOUR_MS, ip: "203.0.113.3" }]);
      return use("get_analytics", { tag: ["march"], interval: "7d", by: [] });
    },
    data: { total: 3, links: [{ clicks: 2 }, { clicks: 1 }] },
    text: /Links by clicks:\n- https:\/\/tern\.test\/\S+: 2/,
  },
  {
    ask: "Which country did the newsletter bring?",
    tokens: 1_400,
    run: ({ use }) => use("get_analytics", { source: ["newsletter.example"], interval: "30d", by: ["countries"] }),
    data: {
      total: 3,
      by: {
        countries: [
          { value: "FR", clicks: 2 },
          { value: "DE", clicks: 1 },
        ],
      },
    },
    text: /countries: "FR" 2, "DE" 1/,
  },
  {
    ask: "Archive all links of the tag old.",
    tokens: 700,
    run: async ({ use }) => {
      const change = { filter: { tag: ["old"] }, changes: { archived: true } };
      await use("bulk_update_links", { ...change, dryRun: true });
      return use("bulk_update_links", change);
    },
    data: { changed: 2, remaining: 0 },
    text: /Changed 2 of 2 links\./,
  },
  {
    ask: "Make a QR code for the poster link, big enough for print.",
    tokens: 300,
    run: async ({ use }) => {
      const { link } = await use("get_link", { shortUrl: "tern.test/poster" });
      return use("get_qr_code", { id: link.id, size: 1_024 });
    },
    data: { scanned: "https://tern.test/poster?qr=1" },
    text: /QR code of the link \S+, 1024 pixels wide/,
  },
  {
    ask: "Why did my webhook get nothing yesterday?",
    tokens: 1_200,
    given: async ({ key }) => {
      const service = await newService();
      await internet.answers({ "hooks.receiver.dev": { status: 503, body: "down for repair" } });
      await service.createWebhook(key);
      await service.createLink(key);
      await service.deliver();
    },
    run: async ({ use }) => {
      const { webhooks } = await use("list_webhook_deliveries");
      const id = webhooks[0]?.id;
      const { deliveries } = await use("list_webhook_deliveries", { id });
      return use("list_webhook_deliveries", { id, deliveryId: deliveries[0]?.id });
    },
    data: { delivery: { status: "pending", lastStatus: 503, responseBody: "down for repair" } },
    text: /pending after 1 attempts, last response 503.*The receiver answered \(foreign text\): "down for repair"/,
  },
  {
    ask: "How many links may I still create?",
    tokens: 300,
    run: ({ use }) => use("get_account"),
    data: { quotas: { links: { used: 6, left: 999_994 } } },
    text: /links: 6 of 1000000, 999994 left/,
  },
  {
    ask: "Shorten https://example.com/sale as tern.test/sale, until the end of April.",
    tokens: 250,
    run: ({ use }) => use("create_link", { url: "https://example.com/sale", slug: "sale", expiresAt: "2026-04-30" }),
    data: { link: { shortUrl: "https://tern.test/sale", expiresAt: "2026-04-30T23:59:59.999Z" } },
    text: /Created https:\/\/tern\.test\/sale/,
  },
  {
    ask: "Where does tern.test/menu lead? Send it to the summer menu instead.",
    tokens: 500,
    run: async ({ use }) => {
      const { link } = await use("get_link", { shortUrl: "tern.test/menu" });
      return use("update_link", { id: link.id, url: "https://example.com/summer-menu" });
    },
    data: { link: { shortUrl: "https://tern.test/menu", url: "https://example.com/summer-menu" } },
    text: /Changed https:\/\/tern\.test\/menu → https:\/\/example\.com\/summer-menu/,
  },
  {
    ask: "Add the tag seasonal to all spring links, but keep their other tags.",
    tokens: 700,
    run: async ({ use }) => {
      const filter = { tag: ["spring"] };
      await use("bulk_update_links", { filter, changes: { addTags: ["seasonal"] } });
      return use("list_links", { tag: ["seasonal"] });
    },
    data: { links: [{ tags: ["spring", "poster", "seasonal"] }, { tags: ["spring", "seasonal"] }], remaining: 0 },
    text: /tern\.test\/poster[^]*tern\.test\/spring[^]*These are all\./,
  },
  {
    ask: "Remove the tag old everywhere.",
    tokens: 400,
    run: async ({ use }) => {
      await use("bulk_update_links", { filter: { tag: ["old"] }, changes: { removeTags: ["old"] } });
      return use("list_links", { tag: ["old"] });
    },
    data: { links: [], remaining: 0 },
    text: /No link matches\./,
  },
  {
    ask: "Delete the links with the tag old, but show me first which ones.",
    tokens: 900,
    run: async ({ use }) => {
      const { links } = await use("list_links", { tag: ["old"] });
      const ids = links.map(({ id }) => id);
      await use("delete_links", { ids, dryRun: true });
      return use("delete_links", { ids });
    },
    data: { deleted: 2 },
    text: /Deleted 2 of 2 links\. They can be restored for 7 days\./,
  },
  {
    ask: "Did we get more clicks this week than the week before?",
    tokens: 900,
    run: ({ use }) => use("get_analytics", { interval: "7d", compare: "previous" }),
    data: { total: 5, previous: { total: 1 } },
    text: /^5 clicks .* The period before had 1 clicks\./,
  },
  {
    ask: "Which of my links are never clicked?",
    tokens: 1_000,
    run: ({ use }) => use("list_links", { sort: "clicks", order: "asc", limit: 3 }),
    data: { links: [{ clicks: 0 }, { clicks: 0 }, { clicks: 0 }], remaining: 3 },
    text: /0 clicks\)\n[^]*3 more: call list_links again/,
  },
  {
    ask: "Was the poster scanned more by phones or by computers?",
    tokens: 800,
    run: async ({ use }) => {
      const { link } = await use("get_link", { shortUrl: "https://tern.test/poster" });
      return use("get_analytics", { linkIds: [link.id], by: ["devices", "triggers"] });
    },
    data: { total: 2, by: { devices: [{ value: "desktop", clicks: 2 }], triggers: [{ value: "qr", clicks: 2 }] } },
    text: /devices: "desktop" 2\ntriggers: "qr" 2/,
  },
  {
    ask: "Set up go.example.com for my links.",
    tokens: 500,
    run: ({ use }) => use("add_domain", { domain: "go.example.com" }),
    data: { domain: { domain: "go.example.com", status: "pending" } },
    text: /TXT _tern-challenge\.go\.example\.com = \S+[^]*CNAME go\.example\.com/,
  },
  {
    ask: "Is the domain links.example.org verified, and what is missing?",
    tokens: 900,
    given: async ({ accountId }) => {
      await internet.reset();
      await internet.records({
        "TXT _tern-challenge.links.example.org": ["wrong"],
        "CNAME links.example.org": ["alias.example.net"],
      });
      await insertDomain(accountId, "links.example.org", { status: "pending" });
    },
    run: async ({ use }) => {
      await use("list_domains");
      return use("check_domain", { domain: "links.example.org" });
    },
    data: { verified: false, seen: { TXT: ["wrong"], CNAME: ["alias.example.net"] } },
    text: /Records that it needs:[^]*The DNS has TXT: "wrong"[^]*The DNS has CNAME: "alias.example.net"/,
  },
  {
    ask: "Stop the spring link now and send its visitors to our home page.",
    tokens: 500,
    run: async ({ use }) => {
      const { links } = await use("list_links", { search: "spring", limit: 5 });
      const id = links.find(({ shortUrl }) => shortUrl.endsWith("/spring"))?.id;
      return use("update_link", { id, disabled: true, expiredUrl: "https://example.com/" });
    },
    data: { link: { status: "disabled", expiredUrl: "https://example.com/" } },
    text: /tern\.test\/spring .*disabled/,
  },
  {
    ask: "Protect the menu with the password tern in the wind, for at most 100 visits.",
    tokens: 500,
    run: async ({ use }) => {
      const { link } = await use("get_link", { shortUrl: "tern.test/menu" });
      return use("update_link", { id: link.id, password: "tern in the wind", maxClicks: 100 });
    },
    data: { link: { hasPassword: true, maxClicks: 100 } },
    text: /Changed https:\/\/tern\.test\/menu/,
  },
  {
    ask: "Compare the poster with the newsletter this month, and say where their visitors came from.",
    tokens: 1_100,
    run: async ({ use, links }) => {
      await use("list_links", { limit: 6 });
      const linkIds = [links.poster.id, links.newsletter.id];
      return use("get_analytics", { linkIds, interval: "mtd", by: ["sources"] });
    },
    data: {
      links: [{ clicks: 3 }, { clicks: 2 }],
      by: {
        sources: [
          { value: "newsletter.example", clicks: 3 },
          { value: "direct", clicks: 2 },
        ],
      },
    },
    text: /tern\.test\/newsletter: 3\n- https:\/\/tern\.test\/poster: 2\nsources: "newsletter\.example" 3, "direct" 2/,
  },
  {
    ask: "Give each of these pages a link for the mail campaign of April, with UTM parameters, and one QR code of the first.",
    tokens: 1_500,
    run: async ({ use }) => {
      const utm = { source: "mail", medium: "email", campaign: "april" };
      const { links } = await use("create_links", { links: pages.slice(0, 3).map(({ url }) => ({ url, utm })) });
      expect(links).toMatchObject(
        ["a", "b", "c"].map((page) => ({
          url: `https://example.com/${page}?utm_source=mail&utm_medium=email&utm_campaign=april`,
        })),
      );
      return use("get_qr_code", { id: links[0]?.id });
    },
    data: { scanned: expect.stringMatching(/^https:\/\/tern\.test\/\w+\?qr=1$/) as unknown },
    text: /512 pixels wide/,
  },
];
