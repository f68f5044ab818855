import type { BrowserContext } from "playwright-core";
import type { CapturedClick } from "../../src/clicks/capture/click.ts";
import { until } from "../../test/support/until.ts";

/** A password that the service accepts. */
const PASSWORD = "seventeen quiet lanterns";

type Call = (path: string, data?: object, method?: "post" | "delete") => Promise<unknown>;

/** Signs a person up in this browser profile. Returns the function that calls the API as that person. */
export async function signUp(context: BrowserContext, origin: string): Promise<Call> {
  const call: Call = async (path, data, method = "post") => {
    const response = await context.request[method](origin + path, { data, headers: { Origin: origin } });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return response.json();
  };
  const email = `ann.lee.${Date.now()}@example.com`;
  await call("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann Lee" });
  let token: string | undefined;
  await until(async () => {
    const headers = { "CF-Connecting-IP": "127.0.0.1" };
    const response = await context.request.get(`${origin}/api/auth/outbox`, { headers });
    const { mails } = (await response.json()) as { mails: { to: string; link: string }[] };
    token = mails.find(({ to }) => to === email)?.link.split("#token=")[1];
    return token !== undefined;
  });
  await call("/api/auth/verify-email", { token });
  return call;
}

/** Signs a person up and fills the personal account with what a small company would have. */
export async function signUpWithData(context: BrowserContext, origin: string): Promise<{ linkId: string }> {
  const call = await signUp(context, origin);
  const { results } = (await call("/api/links/bulk", { links: LINKS })) as {
    results: { link: { id: string; url: string } }[];
  };
  const links = results.map(({ link }) => link);
  await fetch(`${origin}/bench/clicks`, { method: "POST", body: JSON.stringify(clicksOf(links)) });
  for (const { id } of links.slice(0, DELETED_LINKS)) await call(`/api/links/${id}`, undefined, "delete");
  await call("/api/keys", { name: "Website" });
  await call("/api/keys", { name: "Reports", permissions: ["links:read", "clicks:read"] });
  await call("/api/domains/add", { domain: "go.acme-shop.com" });
  await call("/api/teams", { name: "Acme" });
  return { linkId: links.at(-1)?.id ?? "" };
}

const DELETED_LINKS = 2;
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

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Clicks of the last days as redirects capture them: fewer at weekends, more from day to day, and most on the newest links. */
function clicksOf(links: readonly { id: string; url: string }[]): CapturedClick[] {
  const now = Date.now();
  const today = now - (now % DAY_MS);
  const clicks: CapturedClick[] = [];
  for (let day = 0; day < DAYS; day++) {
    const start = today - (DAYS - 1 - day) * DAY_MS;
    const isWeekend = new Date(start).getUTCDay() % 6 === 0;
    const count = Math.round((40 + 2 * day) * (isWeekend ? 0.45 : 1) * (0.8 + 0.4 * spread(day, 7)));
    for (let visit = 0; visit < count; visit++) {
      const number = day * 1_000 + visit;
      const link = links[Math.floor(links.length * (1 - spread(number, 1) ** 3))];
      const at = start + Math.floor(DAY_MS * (0.3 + 0.65 * spread(number, 2)));
      if (link === undefined || at > now) continue;
      const place = pick(PLACES, number, 3);
      clicks.push([
        at,
        link.id,
        null,
        { location: link.url },
        `2001:db8::${number.toString(16)}`,
        pick(USER_AGENTS, number, 4),
        pick(REFERRERS, number, 5),
        place.country,
        place.regionCode,
        place.city,
        place.continent,
        spread(number, 6) < 0.15 ? 1 : 0,
      ]);
    }
  }
  return clicks;
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
