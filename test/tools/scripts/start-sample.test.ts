import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SAMPLE_LINKS } from "../../../tools/scripts/sample/links.ts";
import { CAMPAIGN, SAMPLE_DOMAIN, TAG_COLORS } from "../../../tools/scripts/sample/story.ts";
import { postLink, runScript, startService, temporaryFolder, type Service } from "./support/command.ts";

const folder = temporaryFolder();
let service: Service | undefined;
afterAll(() => service?.stop());

const WEEK_MS = 7 * 86_400_000;
const WEEKS = 8;

async function start(state: string, ...args: string[]): Promise<Service> {
  await service?.stop();
  const command: [string, ...string[]] = [process.execPath, "tools/scripts/start.ts", ...args];
  service = await startService(join(folder, state), join(folder, "key"), command);
  return service;
}

interface Link {
  id: string;
  slug: string;
  domain: string;
  status: string;
  clicks: number;
  lastClickedAt: number | null;
  createdAt: number;
}

interface Clicks {
  total: number;
  unique: number;
  bots: number;
  [dimension: string]: unknown;
}

async function read<T>({ origin, key }: Service, path: string): Promise<T> {
  const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

const readLinks = async (from: Service) => (await read<{ links: Link[] }>(from, "/api/links?limit=100")).links;

async function readClicks(from: Service, query: string): Promise<Clicks> {
  return (await read<{ clicks: Clicks }>(from, `/api/clicks?${query}`)).clicks;
}

const valuesOf = (clicks: Clicks, dimension: string) =>
  (clicks[dimension] as { value: string; clicks: number }[]).map(({ value }) => value);

test("--sample fills the demo account with links, tags, a domain and eight weeks of clicks", async () => {
  const started = await start("state", "--sample");
  expect(started.output()).toMatch(/The demo account has a sample: 40 links with \d+ clicks\./);
  const links = await readLinks(started);
  expect(links.map(({ slug }) => slug)).toEqual(SAMPLE_LINKS.map(({ slug }) => slug));
  expect(new Set(links.map(({ status }) => status))).toEqual(new Set(["active", "disabled", "expired", "scheduled"]));
  expect(links.filter(({ domain }) => domain === SAMPLE_DOMAIN).length).toBeGreaterThan(5);
  expect(links.find(({ slug }) => slug === "first-100")).toMatchObject({ status: "expired" });
  for (const { slug, clicks, lastClickedAt, createdAt, status } of links) {
    if (status === "scheduled") expect([slug, clicks, lastClickedAt]).toEqual([slug, 0, null]);
    else expect(lastClickedAt, slug).toBeGreaterThan(createdAt);
  }

  const { tags } = await read<{ tags: { name: string; color: string }[] }>(started, "/api/tags");
  expect(Object.fromEntries(tags.map(({ name, color }) => [name, color]))).toEqual(TAG_COLORS);
  const { domains } = await read<{ domains: object[] }>(started, "/api/domains");
  expect(domains).toEqual([expect.objectContaining({ domain: SAMPLE_DOMAIN, status: "verified", lostAt: null })]);

  const all = await readClicks(started, "interval=all");
  expect(all.total).toBe(links.reduce((sum, { clicks }) => sum + clicks, 0));
  expect(all.unique).toBeLessThan(all.total);
  expect(all.bots).toBeGreaterThan(0);
  expect(valuesOf(all, "triggers")).toEqual(["link", "qr"]);
  expect(valuesOf(all, "utmCampaigns")).toContain(CAMPAIGN);
  expect(valuesOf(all, "countries").length).toBeGreaterThan(10);
  for (const dimension of ["browsers", "devices", "os", "referrers"])
    expect(valuesOf(all, dimension).length, dimension).toBeGreaterThan(1);
  const now = Date.now();
  for (let week = 0; week < WEEKS; week++) {
    const [from, to] = [now - (week + 1) * WEEK_MS, now - week * WEEK_MS].map((at) => new Date(at).toISOString());
    expect((await readClicks(started, `start=${from}&end=${to}`)).total, `week ${week}`).toBeGreaterThan(100);
  }
});

test("another start adds nothing, also after the account got a link of its own", async () => {
  const before = await readClicks(service as Service, "interval=all");
  await postLink(service as Service, "/api/links");
  const again = await start("state", "--sample");
  expect(again.output()).toContain("The sample is already there: nothing was added.");
  expect(await readLinks(again)).toHaveLength(SAMPLE_LINKS.length + 1);
  const { total, unique, bots } = await readClicks(again, "interval=all");
  expect({ total, unique, bots }).toEqual({ total: before.total, unique: before.unique, bots: before.bots });
});

test("links of the user's own are left alone", async () => {
  await postLink(await start("own"), "/api/links");
  const again = await start("own", "--sample");
  expect(again.output()).toContain("The demo account has links of your own, so the sample was left out.");
  expect(await readLinks(again)).toHaveLength(1);
});

test.each([["--config", "other.toml"], ["--unclaimed"]])("--sample is not for %s", async (option, ...value) => {
  const { exitCode, errors } = await runScript("start.ts", ["--sample", option, ...value]);
  expect([exitCode, errors]).toEqual([2, expect.stringContaining(`--sample and ${option} cannot be combined.`)]);
});
