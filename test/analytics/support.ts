import { expect, vi } from "vitest";
import type { Clicks } from "../../src/analytics/contract.ts";
import { DAY_MS } from "../../src/duration.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";

export const NOW = Date.UTC(2026, 2, 30, 12);

export type ClickedLink = Awaited<ReturnType<typeof createClickedLink>>;

/** A link that was created 40 days before {@link NOW}, where the clock stands. `click` and `clicksOf` are for it by default. */
export async function createClickedLink() {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW - 40 * DAY_MS });
  const { key, accountId } = await createAccount();
  const link = await createLink(key, { slug: "link" });
  vi.setSystemTime(NOW);
  return {
    key,
    link,
    click: (clicks: Parameters<typeof clickOn>[2][], id = link.id) =>
      consume([messageOf(clicks.map((fields) => clickOn(id, accountId, fields)))]),
    clicksOf: async (query: string, path = `/api/links/${link.id}/clicks`): Promise<Clicks> => {
      const response = await call("GET", `${path}?${query}`, { key });
      expect(response.status, await response.clone().text()).toBe(200);
      return (await jsonOf<{ clicks: Clicks }>(response)).clicks;
    },
  };
}
