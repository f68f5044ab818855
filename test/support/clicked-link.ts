import { vi } from "vitest";
import type { CapturedClick } from "../../src/click-log/capture/click.ts";
import type { Link } from "../../src/links/contract.ts";
import { accountId, createLink, key, startAccount } from "./api.ts";
import { clickOn } from "./clicks.ts";

export const NOW = Date.UTC(2026, 2, 30, 12);

/** Of the test that runs, since {@link startLink}. */
export let link: Link;

/** Creates an account with a link at this time. Then the clock stands at {@link NOW}. */
export async function startLink(createdAt: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: createdAt });
  await startAccount();
  link = await createLink(key, { slug: "link" });
  vi.setSystemTime(NOW);
}

export type ClickFields = Parameters<typeof clickOn>[2];

/** A click on the link, or on another one of the account. */
export const clicked = (fields: ClickFields, id = link.id): CapturedClick => clickOn(id, accountId, fields);
