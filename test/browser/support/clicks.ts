import type { BrowserContext } from "playwright-core";
import { expect, vi } from "vitest";
import { ORIGIN } from "./dashboard.ts";
import { VISITOR } from "./browser.ts";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

export interface Visitor {
  /** `country`, `regionCode`, `city` and `continent`, as Cloudflare reports them. */
  place?: Record<string, string>;
  userAgent?: string;
  referrer?: string;
  /** Whether the visitor scanned a QR code. */
  qr?: boolean;
}

export const BERLIN = { country: "DE", regionCode: "BE", city: "Berlin", continent: "EU" };
export const PARIS = { country: "FR", regionCode: "IDF", city: "Paris", continent: "EU" };
export const BOSTON = { country: "US", regionCode: "MA", city: "Boston", continent: "NA" };

let nextVisitor = 1;

/** Follows a link as a new visitor. */
export async function click(slug: string, { place, userAgent = VISITOR, referrer, qr }: Visitor = {}): Promise<void> {
  const number = nextVisitor++;
  const response = await fetch(`${ORIGIN}/${slug}${qr === true ? "?qr=1" : ""}`, {
    redirect: "manual",
    headers: {
      "CF-Connecting-IP": `198.18.${number >> 8}.${number & 255}`,
      "User-Agent": userAgent,
      ...(place !== undefined && { "MF-CF-Blob": JSON.stringify(place) }),
      ...(referrer !== undefined && { Referer: referrer }),
    },
  });
  expect(response.status).toBe(302);
}

/** Waits until the account's analytics have this number of clicks. */
export async function waitForClicks(context: BrowserContext, total: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const response = await context.request.get("/api/clicks");
      return ((await response.json()) as { clicks: { total: number } }).clicks.total === total;
    },
    { timeout: 30_000, interval: 500 },
  );
}
