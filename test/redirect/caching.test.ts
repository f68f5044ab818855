import { beforeEach, expect, it, vi } from "vitest";
import { call, createAccount, createLink } from "../support/api.ts";

const DAY_SECONDS = 86_400;

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  vi.useFakeTimers({ toFake: ["Date"] });
});

/** The header of two requests: the first reads the database, the second the memory cache. */
async function cacheControlOf(path: string): Promise<(string | null)[]> {
  const headers: (string | null)[] = [];
  for (let visit = 0; visit < 2; visit++) headers.push((await call("GET", path)).headers.get("Cache-Control"));
  return headers;
}

const in100s = () => ({ expiresAt: Date.now() + 100_999 });
const inAWeek = () => ({ expiresAt: Date.now() + 7 * DAY_SECONDS * 1_000 });

it.each([302, 307])("makes a %i uncacheable", async (redirectStatus) => {
  for (const [slug, fields] of Object.entries({ plain: {}, ending: in100s(), limited: { maxClicks: 5 } })) {
    await createLink(key, { slug, redirectStatus, ...fields });
    expect(await cacheControlOf(`/${slug}`)).toEqual(["no-store", "no-store"]);
  }
});

it.each([301, 308])("lets browsers cache a %i for a day, but not past the link's expiry", async (redirectStatus) => {
  const expected = { plain: DAY_SECONDS, "ending-soon": 100, "ending-late": DAY_SECONDS };
  const fields = { plain: {}, "ending-soon": in100s(), "ending-late": inAWeek() };
  for (const [slug, seconds] of Object.entries(expected)) {
    await createLink(key, { slug, redirectStatus, ...fields[slug as keyof typeof fields] });
    const kept = `private, max-age=${seconds}`;
    expect(await cacheControlOf(`/${slug}`)).toEqual([kept, kept]);
  }
  // Once from the memory cache, and once after it is no longer fresh.
  vi.setSystemTime(Date.now() + 3_000);
  expect(await cacheControlOf("/ending-soon")).toEqual(["private, max-age=97", "private, max-age=97"]);
  vi.setSystemTime(Date.now() + 57_000);
  expect(await cacheControlOf("/ending-soon")).toEqual(["private, max-age=40", "private, max-age=40"]);
});

it.each([301, 308])("makes a %i with a limit of visits uncacheable", async (redirectStatus) => {
  await createLink(key, { slug: "limited", redirectStatus, maxClicks: 5 });
  expect(await cacheControlOf("/limited")).toEqual(["no-store", "no-store"]);
});

it("makes every response that is not a redirect uncacheable", async () => {
  await createLink(key, { slug: "used", maxClicks: 1 });
  await call("GET", "/used");
  for (const path of ["/unknown", "/used", "/%"]) expect(await cacheControlOf(path)).toEqual(["no-store", "no-store"]);
  expect((await call("POST", "/used")).headers.get("Cache-Control")).toBe("no-store");
});
