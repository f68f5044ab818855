import { beforeEach, expect, it } from "vitest";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import type { ClickRecord } from "../../src/click-log/click-record.ts";
import { MAX_DIMENSION_CHARS } from "../../src/limits.ts";
import type { Link } from "../../src/links/contract.ts";
import { call, createLink, jsonOf, key, startAccount, takeSentClicks } from "../support/api.ts";
import { consume } from "../support/clicks.ts";
import { ANDROID, IPHONE, visitAs } from "../support/visitors.ts";

beforeEach(startAccount);

async function clicksOf({ id }: Link, query = ""): Promise<Clicks> {
  await consume(takeSentClicks());
  return (await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks${query}`, { key }))).clicks;
}

async function recordsOf({ id }: Link): Promise<ClickRecord[]> {
  await consume(takeSentClicks());
  const response = await call("GET", `/api/links/${id}/clicks/records?bots=include`, { key });
  return (await jsonOf<{ records: ClickRecord[] }>(response)).records;
}

it("tell which target each visitor was sent to, by rule, app, country or default", async () => {
  const link = await createLink(key, {
    slug: "many",
    url: "https://example.com/?utm_source=mail&utm_medium=e%20mail#utm_term=x",
    rules: [{ languages: ["de"], url: "https://example.com/de?utm_source=Mail&utm_campaign=Gr%C3%BCn&utm_content=" }],
    ios: "acme://spring?utm_term=shoes",
    android: "https://example.com/android",
    geo: { FR: "https://example.com/fr" },
    preview: { title: "Spring" },
  });
  const ruleId = link.rules[0]?.id ?? "";
  const german = { headers: { "Accept-Language": "de" } };
  const visits = [
    [{}, "default", null, { source: "mail", medium: "e mail" }],
    [german, "rule", ruleId, { source: "Mail", campaign: "Grün" }],
    [{ userAgent: IPHONE }, "ios", null, { term: "shoes" }],
    // Gets the web URL in place of the page that opens the app.
    [{ userAgent: IPHONE, headers: { Accept: "*/*" } }, "default", null, { source: "mail", medium: "e mail" }],
    [{ userAgent: ANDROID }, "android", null, {}],
    [{ cf: { country: "FR" } }, "country", null, {}],
    [{ userAgent: "facebookexternalhit/1.1", cf: { country: "FR" } }, "country", null, {}],
  ] as const;
  const none = { source: null, medium: null, campaign: null, term: null, content: null };
  for (const [visitor, kind, rule, utm] of visits) {
    expect((await visitAs(visitor, "/many?utm_source=visitor")).status).toBeLessThan(400);
    const [record] = await recordsOf(link);
    expect(record).toMatchObject({ target: { kind, ruleId: rule }, utm: { ...none, ...utm } });
    expect(record?.target.url).not.toContain("visitor");
  }
  const clicks = await clicksOf(link);
  expect(clicks.targets).toEqual([
    { value: "default", clicks: 2 },
    ...["android", "country", "ios", ruleId].toSorted().map((value) => ({ value, clicks: 1 })),
  ]);
  expect(clicks.utmSources).toEqual([
    { value: "none", clicks: 3 },
    { value: "mail", clicks: 2 },
    { value: "Mail", clicks: 1 },
  ]);
  expect(await clicksOf(link, "?utmSource=mail")).toMatchObject({ total: 3 });
  expect(await clicksOf(link, "?utmCampaign=gr%C3%BCn")).toMatchObject({ total: 1 });
  expect(await clicksOf(link, `?target=!default&target=!${ruleId.toUpperCase()}`)).toMatchObject({ total: 3 });
  const csv = await (await call("GET", `/api/links/${link.id}/clicks/records?format=csv`, { key })).text();
  expect(csv).toContain(`,rule,${ruleId},https://example.com/de?utm_source=Mail`);
});

it("have UTM values by which they can be found, however the URL writes them", async () => {
  const written = [
    ["spaces", "utm_source=%20Spring%20Letter%C2%A0&utm_medium=%20", "Spring Letter", null],
    ["names", "utm%5Fsource=encoded&utm_medium=NONE", "encoded", null],
    ["repeated", "utm_source=first&utm_source=second&utm_medium=%E9", "first", "\u{FFFD}"],
    ["long", `utm_source=${"x".repeat(MAX_DIMENSION_CHARS - 1)}%20y&utm_medium=%22%3D1`, "x".repeat(254), '"=1'],
  ] as const;
  for (const [slug, query, source, medium] of written) {
    const link = await createLink(key, { slug, url: `https://example.com/?${query}` });
    await visitAs({}, `/${slug}`);
    expect(await recordsOf(link), slug).toMatchObject([{ utm: { source, medium } }]);
    const { utmSources, utmMediums } = await clicksOf(link);
    const listed = medium ?? "none";
    expect([utmSources, utmMediums], slug).toEqual([[{ value: source, clicks: 1 }], [{ value: listed, clicks: 1 }]]);
    const filter = new URLSearchParams({ utmSource: source, utmMedium: listed });
    expect(await clicksOf(link, `?${filter.toString()}`), slug).toMatchObject({ total: 1 });
  }
});

it("evaluate a percentage split, whose rule keeps its id and its visitors when rules are added and changed", async () => {
  const split = { percentage: 30, url: "https://example.com/b" };
  const link = await createLink(key, { slug: "split", rules: [split] });
  const visitors = Array.from({ length: 60 }, (_, n) => ({ address: `198.51.100.${n}` }));
  const servedBy = async () => {
    const urls = await Promise.all(
      visitors.map(async (visitor) => (await visitAs(visitor, "/split")).headers.get("Location")),
    );
    return urls.filter((url) => url === split.url).length;
  };
  const few = await servedBy();
  const change = async (rules: object[]) => {
    const response = await call("PATCH", `/api/links/${link.id}`, { key, body: { rules } });
    return { status: response.status, ...(await jsonOf<{ link: Link }>(response)) };
  };
  const [{ id } = { id: "" }] = link.rules;
  const first = { countries: ["FR"], url: "https://example.com/fr" };
  const moved = await change([first, { ...split, percentage: 60 }]);
  expect(moved.link.rules[1]).toMatchObject({ id, percentage: 60 });
  const more = await servedBy();
  expect(more).toBeGreaterThan(few);
  const clicks = await clicksOf(link);
  expect(clicks.targets).toContainEqual({ value: id, clicks: few + more });
  expect(await clicksOf(link, `?target=${id}`)).toMatchObject({ total: few + more, unique: more });
  expect(await clicksOf(link, "?target=default")).toMatchObject({ unique: visitors.length - few });

  const renamed = { id, ...split, url: "https://example.com/c" };
  const sent = await change([renamed, ...moved.link.rules.slice(0, 1)]);
  expect(sent.link.rules).toEqual([renamed, moved.link.rules[0]]);
  const twins = await change([first, first]);
  expect(new Set(twins.link.rules.map((rule) => rule.id)).size).toBe(2);
  expect((await change([first, first])).link.updatedAt).toBe(twins.link.updatedAt);
  expect(await change([renamed, { ...renamed, ...first }])).toMatchObject({
    status: 400,
    details: [{ path: "rules.1.id" }],
  });
});
