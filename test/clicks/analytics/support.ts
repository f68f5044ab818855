import { expect } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { call, jsonOf, key } from "../../support/api.ts";
import { clicked, link, NOW, startLink, type ClickFields } from "../../support/clicked-link.ts";
import { consume, messageOf } from "../../support/clicks.ts";

/** Creates a link 40 days before {@link NOW}. `click` and `clicksOf` are for it by default. */
export const startClickedLink = () => startLink(NOW - 40 * DAY_MS);

export const click = (clicks: ClickFields[], id = link.id) =>
  consume([messageOf(clicks.map((fields) => clicked(fields, id)))]);

export async function clicksOf(query: string, path = `/api/links/${link.id}/clicks`): Promise<Clicks> {
  const response = await call("GET", `${path}?${query}`, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await jsonOf<{ clicks: Clicks }>(response)).clicks;
}
