import { beforeEach, expect, it } from "vitest";
import entities from "third-party-web/dist/entities.json" with { type: "json" };
import page from "../../../docs/screening.md?raw";
import { runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import legitimate from "./corpus/legitimate.txt?raw";
import listedHosts from "./corpus/listed-hosts.txt?raw";
import listedPages from "./corpus/listed-pages.txt?raw";
import mostLinked from "./corpus/most-linked-hosts.txt?raw";
import phishing from "./corpus/phishing.txt?raw";
import { addList, screener, useScreening } from "./support.ts";

// What lists of known hosts and pages and the look at addresses catch. The page of documentation has the same figures.

useScreening();

const OWN_HOST = "go.example";
const linesOf = (text: string) => text.trimEnd().split("\n");
const entriesOf = (text: string) => linesOf(text).map((line) => line.split("\t") as [category: string, url: string]);

beforeEach(async () => {
  await internet.reset();
  await internet.answers({ "hosts.test": { body: listedHosts }, "pages.test": { body: listedPages } });
  await addList("https://hosts.test/", "hosts");
  await addList("https://pages.test/", "urls");
  await runCron(Date.now());
  await runCron(Date.now());
});

/** What the Screener finds: the verdict of each URL for links without trust; null: none. */
async function judge(urls: readonly string[]): Promise<(string | null)[]> {
  const { findings, suspicions } = await screener().judge(urls, OWN_HOST, Date.now());
  return urls.map((_, index) => findings[index]?.verdict ?? suspicions[index]?.verdict ?? null);
}

it("catches as many of 200 phishing-like URLs as the documentation says", async () => {
  const entries = entriesOf(phishing);
  expect(new Set(entries.map(([, url]) => url)).size).toBe(200);
  const verdicts = await judge(entries.map(([, url]) => url));
  const counts = new Map<string, { blocked: number; warned: number; missed: number }>();
  for (const [index, [category]] of entries.entries()) {
    const count = counts.get(category) ?? { blocked: 0, warned: 0, missed: 0 };
    count[verdicts[index] === "block" ? "blocked" : verdicts[index] === "warn" ? "warned" : "missed"]++;
    counts.set(category, count);
  }
  const rows = [...counts].map(
    ([category, { blocked, warned, missed }]) => `| ${category} | ${blocked} | ${warned} | ${missed} |`,
  );
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

it("lets 200 legitimate URLs through", async () => {
  const urls = entriesOf(legitimate).map(([, url]) => url);
  expect(new Set(urls).size).toBe(200);
  const verdicts = await judge(urls);
  expect(urls.filter((_, index) => verdicts[index] !== null)).toEqual([]);
});

it("blocks none of the most visited hosts, and warns of shorteners among them only", async () => {
  const ofPages = entities.flatMap(({ domains }) => domains).map((domain) => domain.replace(/^\*\./, ""));
  const hosts = [...new Set([...linesOf(mostLinked), ...ofPages])];
  expect(hosts.length).toBeGreaterThan(3_000);
  const { findings, suspicions } = await screener().judge(
    hosts.map((host) => `https://${host}/`),
    OWN_HOST,
    Date.now(),
  );
  expect(hosts.filter((_, index) => findings[index] !== null)).toEqual([]);
  expect(hosts.filter((_, index) => suspicions[index]?.reason === "lookalike")).toEqual([]);
});
