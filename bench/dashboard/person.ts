import type { BrowserContext } from "playwright-core";
import { until } from "../../test/support/until.ts";

/** A password that the service accepts. */
const PASSWORD = "seventeen quiet lanterns";

type Call = (path: string, data: object) => Promise<unknown>;

/** Signs a person up in this browser profile. Returns the function that calls the API as that person. */
export async function signUp(context: BrowserContext, origin: string): Promise<Call> {
  const call: Call = async (path, data) => {
    const response = await context.request.post(origin + path, { data, headers: { Origin: origin } });
    if (!response.ok()) throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`);
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
    results: { link: { id: string; shortUrl: string } }[];
  };
  await click(results.map(({ link }) => link.shortUrl));
  await call("/api/keys", { name: "Website" });
  await call("/api/keys", { name: "Reports", permissions: ["links:read", "clicks:read"] });
  await call("/api/domains/add", { domain: "go.acme-shop.com" });
  await call("/api/teams", { name: "Acme" });
  return { linkId: results[0]?.link.id ?? "" };
}

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

const USER_AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
];
const REFERRERS = ["https://www.news.example/", "https://social.example/@acme", "", "https://search.example/?q=acme"];

/** Where visitors are, as Cloudflare reports it. */
const PLACES = [
  { country: "DE", regionCode: "BE", city: "Berlin", continent: "EU" },
  { country: "US", regionCode: "MA", city: "Boston", continent: "NA" },
  { country: "FR", regionCode: "IDF", city: "Paris", continent: "EU" },
  { country: "DE", regionCode: "HH", city: "Hamburg", continent: "EU" },
  { country: "JP", regionCode: "13", city: "Tokyo", continent: "AS" },
  { country: "BR", regionCode: "PE", city: "Recife", continent: "SA" },
  { country: "GB", regionCode: "ENG", city: "London", continent: "EU" },
  { country: "US", regionCode: "CA", city: "Oakland", continent: "NA" },
];

/** Follows the links, the first ones most often. */
async function click(shortUrls: readonly string[]): Promise<void> {
  for (const [index, url] of shortUrls.entries()) {
    for (let visit = 0; visit < Math.ceil(60 / (index + 1)); visit++) {
      const referrer = REFERRERS[(visit + index) % REFERRERS.length] ?? "";
      await fetch(visit % 5 === 0 ? `${url}?qr=1` : url, {
        redirect: "manual",
        headers: {
          "User-Agent": USER_AGENTS[(visit * 3 + index) % USER_AGENTS.length] ?? "",
          "CF-Connecting-IP": `10.20.${index}.${visit}`,
          "MF-CF-Blob": JSON.stringify(PLACES[(visit * visit + index) % PLACES.length]),
          ...(referrer !== "" && { Referer: referrer }),
        },
      });
    }
  }
}
