import { parse } from "csv-parse/sync";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { ClickRecord } from "../../../src/click-log/click-record.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { exportFile, FILES, readLinks } from "./file-support.ts";

const HOSTILE = [
  '=cmd|"/C calc"!A1',
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "＝1",
  "'=1",
  "'",
  "''twice",
  '"quoted", and; more',
  "👩‍👩‍👧‍👦 ünïcode 日本",
  "</script>",
];

/** Links with every field. Their texts are hostile. */
function linkFields(title: string, index: number) {
  return {
    url: `https://example.com/${index}?q=${encodeURIComponent(title)},"x"`,
    slug: `Slug-${index}`,
    title,
    tags: [title.slice(0, 20), "all"],
    disabled: index % 3 === 0,
    expiresAt: 1_900_000_000_000 + index,
    expiredUrl: "https://example.com/gone,too",
    maxClicks: index + 1,
    password: "tern in the wind",
    ios: "acme://open?a=1,2",
    android: "https://play.example/",
    geo: { DE: "https://example.de/", AT: "https://example.at/" },
    rules: [{ countries: ["CH"], url: "https://example.ch/?a=1" }],
    preview: { title, description: null, image: null },
    redirectStatus: 307,
    passParameters: index % 3 > 0,
    externalId: `${title}${index}`,
  };
}

async function allLinks(key: string): Promise<Link[]> {
  const links: Link[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${cursor}`;
    const response = await call("GET", `/api/links?archived=include&limit=100${after}`, { key });
    const page = await jsonOf<{ links: Link[]; nextCursor: string | null }>(response);
    links.push(...page.links);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return links;
}

const jsonLinks = (text: string) => (JSON.parse(text) as { links: Link[] }).links;

describe("the file of links", () => {
  it("has every field of each of 2,000 links, in CSV and in JSON, whatever their texts are", async () => {
    const { key, accountId } = await createAccount();
    const created: Link[] = [];
    for (const [index, title] of HOSTILE.entries()) created.push(await createLink(key, linkFields(title, index)));
    const [first, second] = created;
    await call("PATCH", `/api/links/${first?.id}`, { key, body: { slug: "renamed", archived: true } });
    await consume([messageOf([clickOn(second?.id ?? "", accountId), clickOn(second?.id ?? "", accountId)])]);
    await insertManyLinks(env.DB, accountId, 2_000 - HOSTILE.length);
    const links = await allLinks(key);
    expect([links.length, new Set(links.map(({ id }) => id)).size]).toEqual([2_000, 2_000]);

    const csv = await exportFile({ key }, { kind: "links", archived: "include" });
    expect(csv.state).toMatchObject({ kind: "links", format: "csv", progress: { done: 2_000, total: 2_000 } });
    expect(csv.response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(readLinks(csv.text)).toEqual(links);
    const json = await exportFile({ key }, { kind: "links", format: "json", archived: "include" });
    expect(json.response.headers.get("Content-Type")).toBe("application/json");
    expect(jsonLinks(json.text)).toEqual(links);
    // Each record is a line.
    expect(json.text.split("\n")).toHaveLength(2_000 + 3);
    // No cell begins as a formula.
    const cells = parse(csv.text, { bom: true, from: 2 }).flat();
    expect(cells.filter((cell) => /^[=+\-@＝\t\r\n]/.test(cell))).toEqual([]);
    for (const secret of ["tern in the wind", "password_hash"]) expect(csv.text + json.text).not.toContain(secret);
  });

  it("has the links that match the filters, as the list has them", async () => {
    const { key, accountId } = await createAccount();
    await insertDomain(accountId, "go.acme.com");
    const now = Date.now();
    await createLink(key, { slug: "one", tags: ["sale", "b"], externalId: "x1" });
    await createLink(key, { slug: "two", tags: ["sale"], disabled: true, url: "https://example.com/two" });
    await createLink(key, { slug: "three", domain: "go.acme.com", tags: ["b"], title: "Needle" });
    await createLink(key, { slug: "four", archived: true });
    // As many as an account may export in an hour.
    const filters = [
      {},
      { tag: ["sale", "b"], tagMode: "all" },
      { tag: ["sale"], status: "disabled" },
      { domain: "go.acme.com" },
      { search: "needle" },
      { slug: "ONE" },
      { url: "https://example.com/two", archived: "include" },
      { externalId: "x1" },
      { archived: "only", createdAfter: new Date(now - 1_000).toISOString(), createdBefore: now + 60_000 },
      { createdBefore: "2020-01-31" },
    ];
    const counts: number[] = [];
    for (const filter of filters) {
      const query = new URLSearchParams(
        Object.entries(filter).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
      );
      const { links } = await jsonOf<{ links: Link[] }>(await call("GET", `/api/links?${query.toString()}`, { key }));
      const { text, state } = await exportFile({ key }, { kind: "links", format: "json", ...filter });
      expect([filter, jsonLinks(text)]).toEqual([filter, links]);
      expect(state.progress).toEqual({ done: links.length, total: links.length });
      counts.push(links.length);
    }
    expect(counts).toEqual([3, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
  });

  it("has the links with the ids, the newest first, without those that were deleted since", async () => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 250);
    const links = await allLinks(key);
    const listed = links.filter((_, index) => index % 2 === 0);
    const ids = listed.map(({ id }) => id.toUpperCase());
    const { text, state } = await exportFile({ key }, { kind: "links", ids: [...ids, ...ids.slice(0, 3)] });
    expect(state.progress).toEqual({ done: 125, total: 125 });
    expect(readLinks(text)).toEqual(listed);
    const gone = await call("DELETE", `/api/links/${ids[0]}`, { key });
    expect(gone.status).toBe(200);
    const refused = await call("POST", FILES, { key, body: { kind: "links", ids } });
    const unknown = { path: "ids", code: "unknown", resource: "link", value: listed[0]?.id };
    expect([refused.status, await jsonOf(refused)]).toMatchObject([400, { details: [unknown] }]);
    const both = await call("POST", FILES, { key, body: { kind: "links", ids: [ids[1]], tag: ["common"] } });
    expect([both.status, await jsonOf(both)]).toMatchObject([
      400,
      { details: [{ path: "tag", code: "not_together", field: "ids" }] },
    ]);
  });

  it("reads two rows of the database for each link, and the same for many", async () => {
    const { key, accountId } = await createAccount();
    const rows: number[] = [];
    for (const links of [1_000, 2_000]) {
      await insertManyLinks(env.DB, accountId, links);
      const cost = await measureD1(() => exportFile({ key }, { kind: "links" }));
      rows.push(cost.rowsRead);
    }
    const [first = 0, second = 0] = rows;
    expect((second - first) / 2_000).toBeLessThan(2.1);
  });
});

describe("the file of clicks", () => {
  it("has the single clicks that match, as the list has them", async () => {
    const { key, accountId } = await createAccount();
    const tagged = await createLink(key, { tags: ["sale"] });
    const other = await createLink(key);
    const batch = Array.from({ length: 150 }, (_, index) =>
      clickOn(index % 3 === 0 ? other.id : tagged.id, accountId, {
        ip: `203.0.113.${index}`,
        country: index % 2 === 0 ? "DE" : "AT",
        city: index % 5 === 0 ? "=1+1" : "'s-Hertogenbosch",
      }),
    );
    await consume([messageOf(batch)]);
    const queries = [{}, { tag: "sale" }, { linkIds: [other.id], country: ["!DE"] }, { interval: "7d", bots: "only" }];
    const counts: number[] = [];
    for (const query of queries) {
      const parameters = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
      const records: ClickRecord[] = [];
      for (let page = 1; page <= 2; page++) {
        const path = `/api/clicks/records?${new URLSearchParams(parameters).toString()}&limit=100&page=${page}`;
        records.push(...(await jsonOf<{ records: ClickRecord[] }>(await call("GET", path, { key }))).records);
      }
      const { text, state } = await exportFile({ key }, { kind: "clicks", ...query });
      const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
      const byId = new Map(rows.map((row) => [row["id"], row]));
      expect([rows.length, state.progress.done]).toEqual([records.length, records.length]);
      for (const { id, linkId, clickedAt, geo } of records)
        expect(byId.get(id)).toMatchObject({
          linkId,
          clickedAt: new Date(clickedAt).toISOString(),
          country: geo.country,
          city: `'${geo.city}`,
        });
      counts.push(records.length);
    }
    expect(counts).toEqual([150, 100, 25, 0]);
  });

  it("has the short URLs of links that exist, and local times, as the file of records", async () => {
    const { key, accountId } = await createAccount();
    const kept = await createLink(key, { slug: "kept" });
    const deleted = await createLink(key, { slug: "deleted" });
    await consume([messageOf([clickOn(kept.id, accountId), clickOn(deleted.id, accountId)])]);
    await call("DELETE", `/api/links/${deleted.id}`, { key });
    const query = { timezone: "Asia/Kathmandu" };
    const { text } = await exportFile({ key }, { kind: "clicks", ...query });
    const streamed = await call("GET", "/api/clicks/records?format=csv&timezone=Asia/Kathmandu", { key });
    const rowsOf = (file: string) =>
      parse<Record<string, string>>(file, { bom: true, columns: true }).toSorted((one, other) =>
        (one["id"] ?? "").localeCompare(other["id"] ?? ""),
      );
    const rows = rowsOf(text);
    expect(rowsOf(await streamed.text())).toEqual(rows);
    expect(new Map(rows.map(({ linkId, shortUrl }) => [linkId, shortUrl]))).toEqual(
      new Map([
        [kept.id, kept.shortUrl],
        [deleted.id, ""],
      ]),
    );
    for (const { clickedAt } of rows) expect(clickedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:45$/);
  });
});

it.each([
  [{}, "kind", { code: "required" }],
  [{ kind: "account" }, "kind", { code: "not_one_of", allowed: ["links", "clicks", "qr"] }],
  [{ kind: "links", tagMode: "all" }, "tagMode", { code: "needs", field: "tag" }],
  [{ kind: "links", sort: "clicks" }, "sort", { code: "unknown_field" }],
  [{ kind: "links", ids: [] }, "ids", { code: "empty" }],
  [{ kind: "clicks", format: "json" }, "format", { code: "not_one_of", allowed: ["csv"] }],
  [{ kind: "clicks", start: 5, end: 4 }, "end", { code: "not_after", field: "start" }],
  [{ kind: "clicks", country: "XX" }, "country", { code: "wrong_form", expected: "country" }],
])("an export of %j is refused", async (body, path, fault) => {
  const { key } = await createAccount();
  const refused = await call("POST", FILES, { key, body });
  expect([refused.status, await jsonOf(refused)]).toMatchObject([400, { details: [{ path, ...fault }] }]);
});
