import { expect, it } from "vitest";
import { fieldColumns } from "../../../../src/moving/exports/source.ts";
import { csvHeader, csvLines } from "../../../../src/platform/lib/csv.ts";
import { Link } from "../../../../src/links/contract.ts";
import { importRow, readImport } from "./support.ts";

const EXAMPLE = Link.parse({
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  url: "https://example.com/spring?ref=poster",
  slug: "-Spring",
  domain: "go.example",
  createdBy: null,
  shortUrl: "https://go.example/-Spring",
  title: "=1+1",
  tags: ["sale", "a, b|c", "-x"],
  status: "disabled",
  disabled: true,
  archived: true,
  aliases: ["-old", "Older"],
  startsAt: 1_893_455_000_001,
  expiresAt: 1_893_456_000_001,
  expiredUrl: "https://example.com/over",
  maxClicks: 1_000,
  hasPassword: true,
  passwordAttackedAt: null,
  ios: "acme://spring",
  android: null,
  geo: { DE: "https://example.com/de" },
  rules: [{ id: "7d1f5c0e-52f3-5a7c-8a55-3f1f0f6a2b11", countries: ["AT"], url: "https://example.com/at" }],
  preview: { title: "@home", description: null, image: null },
  redirectStatus: 307,
  passParameters: false,
  externalId: "+49",
  clicks: 99,
  importedClicks: 1_234,
  lastClickedAt: 1_790_000_100_000,
  createdAt: 1_790_000_000_001,
  updatedAt: 1_790_000_000_002,
  verdict: { state: "allowed", reason: null, since: null },
  visitors: "redirect",
  destination: null,
});

const EXPECTED = importRow({
  host: "go.example",
  slug: "-Spring",
  aliases: [
    { host: "go.example", slug: "-old" },
    { host: "go.example", slug: "Older" },
  ],
  createdAt: EXAMPLE.createdAt,
  importedClicks: 1_234,
  notices: ["password"],
  input: {
    url: EXAMPLE.url,
    title: "=1+1",
    tags: EXAMPLE.tags,
    startsAt: EXAMPLE.startsAt,
    expiresAt: EXAMPLE.expiresAt,
    expiredUrl: EXAMPLE.expiredUrl,
    maxClicks: 1_000,
    archived: true,
    disabled: true,
    ios: "acme://spring",
    geo: EXAMPLE.geo,
    rules: EXAMPLE.rules,
    preview: EXAMPLE.preview,
    redirectStatus: 307,
    passParameters: false,
    externalId: "+49",
  },
});

it("reads Tern's own links as CSV, without the escapes of formulas", async () => {
  const columns = fieldColumns<Link>(Object.keys(Link.shape));
  const { source, rows } = await readImport(csvHeader(columns) + csvLines(columns, [EXAMPLE]));
  expect(source).toBe("tern");
  expect(rows).toEqual([EXPECTED]);
});

it.each([
  ["a list", (link: Link) => JSON.stringify([link])],
  ["a response", (link: Link) => JSON.stringify({ links: [link], nextCursor: null })],
  ["lines", (link: Link) => `${JSON.stringify(link)}\n`],
])("reads Tern's own links as JSON: %s", async (_, toFile) => {
  const { source, rows } = await readImport(toFile(EXAMPLE));
  expect(source).toBe("tern");
  expect(rows).toEqual([{ ...EXPECTED, line: 1 }]);
});
