import { vi } from "vitest";
import { DAY_MS } from "../../src/limits.ts";
import { createAccount, createLink } from "../support/api.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";

export const NOW = Date.UTC(2026, 2, 30, 12);

export interface LinkData {
  id: string;
  shortUrl: string;
}

export interface Data {
  [name: string]: unknown;
  id: string;
  link: LinkData;
  links: LinkData[];
  domains: { id: string }[];
  webhooks: { id: string }[];
  deliveries: { id: string }[];
}

/** Account with some links, clicks, a domain and a webhook, and the tools as an assistant calls them. */
export interface World {
  key: string;
  accountId: number;
  links: Record<"spring" | "poster" | "newsletter" | "old1" | "old2" | "menu", LinkData>;
  /** Calls a tool. Returns its structured content, or what it drew. */
  use: (name: string, args?: Record<string, unknown>) => Promise<Data>;
  /** Stores clicks on a link. */
  click: (link: LinkData, clicks: Parameters<typeof clickOn>[2][]) => Promise<unknown>;
}

/** An account with links and clicks of the last two weeks. */
export async function createWorld(): Promise<Omit<World, "use">> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW - 20 * DAY_MS });
  const { key, accountId } = await createAccount();
  const create = (fields: Record<string, unknown>) => {
    // Lists have the newest first.
    vi.setSystemTime(Date.now() + 1_000);
    return createLink(key, fields);
  };
  const links = {
    spring: await create({ slug: "spring", tags: ["spring"] }),
    poster: await create({ slug: "poster", tags: ["spring", "poster"] }),
    newsletter: await create({ slug: "newsletter", title: "Newsletter of March" }),
    old1: await create({ tags: ["old"] }),
    old2: await create({ tags: ["Old"] }),
    menu: await create({ slug: "menu" }),
  };
  const click: World["click"] = ({ id }, clicks) =>
    consume([messageOf(clicks.map((fields) => clickOn(id, accountId, fields)))]);
  vi.setSystemTime(NOW - 10 * DAY_MS);
  await click(links.old1, [{ at: Date.now() }]);
  vi.setSystemTime(NOW);
  const news = { at: NOW - DAY_MS, referrer: "https://newsletter.example/issue" };
  await click(links.newsletter, [
    { ...news, country: "FR" },
    { ...news, country: "FR", ip: "203.0.113.2" },
    { ...news, country: "DE", ip: "203.0.113.3" },
  ]);
  await click(links.poster, [
    { at: NOW - 2 * DAY_MS, trigger: 1, ip: "203.0.113.4" },
    { at: NOW - 2 * DAY_MS, trigger: 1, ip: "203.0.113.4" },
  ]);
  return { key, accountId, links, click };
}
