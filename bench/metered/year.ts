import type { MeteredServer } from "./server.ts";

export const DAY_MS = 86_400_000;
/** In the future, so that no alarm goes off by itself. */
export const NOW = Math.floor(Date.now() / DAY_MS + 1_000) * DAY_MS + DAY_MS / 2;
const DAYS = 365;

export interface Messages {
  perMessage: number;
  perDelivery: number;
}

/** Fills the ClickLog of an account with the clicks of one link in a year, each day with about as many. */
export async function fillYear(
  { control }: MeteredServer,
  owner: { accountId: number; link: string },
  clicks: number,
  messages: Messages,
): Promise<void> {
  for (let day = DAYS - 1; day >= 0; day--) {
    const from = NOW - DAY_MS / 2 - day * DAY_MS;
    const until = from + (day === 0 ? DAY_MS / 2 : DAY_MS);
    const upTo = (days: number) => Math.round((clicks * days) / DAYS);
    const many = upTo(DAYS - day) - upTo(DAYS - 1 - day);
    if (many === 0) continue;
    const take = { accountId: owner.accountId, links: [owner.link], clicks: many, ...messages, from, until };
    await control({ now: until, take });
  }
  await control({ now: NOW });
}
