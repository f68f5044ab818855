import type { BrowserContext } from "playwright-core";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import { until } from "../../../test/support/until.ts";

const EMAIL = "ann.lee@acme.example";
/** A password that the service accepts. */
const PASSWORD = "seventeen quiet lanterns";

type Call = (path: string, data?: object, method?: "post" | "delete") => Promise<unknown>;

/** Signs a person up in this browser context. Returns the function that calls the API as that person. */
export async function signUp(context: BrowserContext, origin: string): Promise<Call> {
  const call: Call = async (path, data, method = "post") => {
    const response = await context.request[method](origin + path, { data, headers: { Origin: origin } });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return response.json();
  };
  await call("/api/auth/sign-up", { email: EMAIL, password: PASSWORD, name: "Ann Lee" });
  let token: string | undefined;
  await until(async () => {
    const headers = { "CF-Connecting-IP": "127.0.0.1" };
    const response = await context.request.get(`${origin}/api/auth/outbox`, { headers });
    const { mails } = (await response.json()) as { mails: { to: string; link: string }[] };
    token = mails.find(({ to }) => to === EMAIL)?.link.split("#token=")[1];
    return token !== undefined;
  });
  await call("/api/auth/verify-email", { token });
  return call;
}

/**
 * Signs a person up 30 days ago, and fills the personal account with what a small company would have by now. The service
 * is tools/bench/dashboard/worker.js.
 */
export async function signUpWithData(context: BrowserContext, origin: string): Promise<{ linkId: string }> {
  /** Sets the clock of the service to the end of a day, or to now for the last one, and adds the clicks of the day. */
  const goTo = async (day: number, clicks: readonly CapturedClick[] = []): Promise<void> => {
    const behindMs = Math.max(0, Date.now() - startOf(day + 1) + 1);
    const body = JSON.stringify({ behindMs, clicks });
    const { ok } = await fetch(`${origin}/bench/past`, { method: "POST", body });
    if (!ok) throw new Error("The service took no clicks.");
  };
  await goTo(-1);
  const call = await signUp(context, origin);
  const links: DemoLink[] = [];
  for (let day = 0; day < DAYS; day++) {
    const created = LINKS.slice(links.length, Math.ceil(((day + 1) / DAYS) * LINKS.length));
    const { results } = (await call("/api/links/bulk", { links: created })) as { results: { link: DemoLink }[] };
    links.push(...results.map(({ link }) => link));
    await goTo(day, clicksOf(day, links));
  }
  await call("/api/auth/sign-in", { email: EMAIL, password: PASSWORD });
  for (const { id } of links.slice(FIRST_DELETED_LINK, FIRST_DELETED_LINK + DELETED_LINKS))
    await call(`/api/links/${id}`, undefined, "delete");
  await call("/api/keys", { name: "Website" });
  await call("/api/keys", { name: "Reports", permissions: ["links:read", "clicks:read"] });
  await call("/api/domains/add", { domain: "go.acme-shop.com" });
  await call("/api/teams", { name: "Acme" });
  return { linkId: links.at(-SHOWN_LINK)?.id ?? "" };
}

/** These have fewer clicks than the first links. */
const FIRST_DELETED_LINK = 20;
const DELETED_LINKS = 2;
/** From the end: one with many clicks. */
const SHOWN_LINK = 9;
const CAMPAIGNS = ["spring", "summer", "autumn", "winter"];
const LINKS = Array.from({ length: 36 }, (_, index) => {
  const campaign = CAMPAIGNS[index % 4] ?? "";
  return {
    url: `https://www.acme.example/${campaign}/offers/${index}?utm_source=newsletter&utm_campaign=${campaign}`,
    title: index % 3 === 0 ? null : `${campaign[0]?.toUpperCase()}${campaign.slice(1)} offer ${index}`,
    slug: `${campaign}-${index}`,
    tags: index % 2 === 0 ? [campaign] : [campaign, "newsletter"],
    ...(index === 5 && { disabled: true }),
    ...(index === 9 && { password: "violet heron" }),
    ...(index === 11 && { expiresAt: "2030-01-31" }),
  };
});

const USER_AGENTS: [string, ...string[]] = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
];
const REFERRERS: [string, ...string[]] = [
  "https://www.news.example/",
  "https://social.example/@acme",
  "",
  "https://search.example/?q=acme",
];

interface Place {
  country: string;
  regionCode: string;
  city: string;
  continent: string;
}

/** Where visitors are, as Cloudflare reports it. */
const PLACES: [Place, ...Place[]] = [
  { country: "DE", regionCode: "BE", city: "Berlin", continent: "EU" },
  { country: "US", regionCode: "MA", city: "Boston", continent: "NA" },
  { country: "FR", regionCode: "IDF", city: "Paris", continent: "EU" },
  { country: "DE", regionCode: "HH", city: "Hamburg", continent: "EU" },
  { country: "JP", regionCode: "13", city: "Tokyo", continent: "AS" },
  { country: "BR", regionCode: "PE", city: "Recife", continent: "SA" },
  { country: "GB", regionCode: "ENG", city: "London", continent: "EU" },
  { country: "US", regionCode: "CA", city: "Oakland", continent: "NA" },
];

const DAY_MS = 86_400_000;
/** The age of the account, and of its first links and clicks. */
const DAYS = 30;

/** When a day begins, UTC. The last one is today. */
function startOf(day: number): number {
  return (Math.floor(Date.now() / DAY_MS) - (DAYS - 1 - day)) * DAY_MS;
}

interface DemoLink {
  id: string;
  url: string;
}

/** The clicks of a day as redirects capture them: fewer at weekends, more from day to day, and most on the newest links. */
function clicksOf(day: number, links: readonly DemoLink[]): CapturedClick[] {
  const now = Date.now();
  const start = startOf(day);
  const isWeekend = new Date(start).getUTCDay() % 6 === 0;
  const count = Math.round((30 + 2 * day) * (isWeekend ? 0.45 : 1) * (0.8 + 0.4 * spread(day, 7)));
  return Array.from({ length: count }, (_, visit) => visit).flatMap((visit): CapturedClick[] => {
    const number = day * 1_000 + visit;
    const link = links[Math.floor(links.length * (1 - spread(number, 1) ** 3))];
    const at = start + Math.floor(DAY_MS * (0.3 + 0.65 * spread(number, 2)));
    if (link === undefined || at > now) return [];
    // Some visitors come back on the same day.
    const visitor = number - (visit % 4 === 3 ? 1 : 0);
    const { country, regionCode, city, continent } = pick(PLACES, visitor, 3);
    const [userAgent, referrer] = [pick(USER_AGENTS, visitor, 4), pick(REFERRERS, number, 5)];
    const trigger = spread(number, 6) < 0.15 ? 1 : 0;
    const [target, ip] = [{ location: link.url }, `2001:db8::${visitor.toString(16)}`];
    return [[at, link.id, null, target, ip, userAgent, referrer, country, regionCode, city, continent, trigger]];
  });
}

/** A number from 0 to below 1 that looks random and is the same in each run. */
function spread(number: number, seed: number): number {
  const value = Math.sin(number * 12.9898 + seed * 78.233) * 43_758.5453;
  return value - Math.floor(value);
}

/** One of the values, the first ones more often. */
function pick<Value>(values: readonly [Value, ...Value[]], number: number, seed: number): Value {
  return values[Math.floor(values.length * spread(number, seed) ** 1.6)] ?? values[0];
}
