import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { FileClick } from "../../../src/clicks/analytics/file-click.ts";
import { toCsv } from "../../../src/clicks/analytics/csv.ts";

const CLICK: FileClick = {
  id: "clk_1",
  linkId: "lnk_1",
  shortUrl: "http://tern.test/spring",
  clickedAt: Date.UTC(2026, 10, 21, 12, 34, 56, 789),
  geo: { country: "BR", region: "SP", city: "São Paulo", continent: "SA" },
  device: "mobile",
  browser: "Chrome",
  os: "Android",
  referrer: "www.example.com",
  source: "example.com",
  trigger: "qr",
  target: { kind: "rule", ruleId: "rule-1", url: "https://example.org/?utm_source=mail" },
  utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
  bot: false,
};
const HEADER =
  "id,linkId,shortUrl,clickedAt,country,region,city,continent,device,browser,os,referrer,source,trigger,target,ruleId,targetUrl,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,bot\r\n";
const LINE =
  "clk_1,lnk_1,http://tern.test/spring,2026-11-21T12:34:56.789Z,BR,SP,São Paulo,SA,mobile,Chrome,Android,www.example.com,example.com,qr,rule,rule-1,https://example.org/?utm_source=mail,mail,,,,,false\r\n";

async function* pagesOf(...pages: FileClick[][]): AsyncGenerator<FileClick[]> {
  yield* pages;
}

async function textOf(...pages: FileClick[][]): Promise<string> {
  const bytes = new Uint8Array(await new Response(toCsv(pagesOf(...pages))).arrayBuffer());
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function rowsOf(...pages: FileClick[][]): Promise<Record<string, string>[]> {
  return parse(await textOf(...pages), { bom: true, columns: true, record_delimiter: "\r\n" });
}

it("writes a byte order mark, a header and a line for each click", async () => {
  expect(await textOf([CLICK], [CLICK])).toBe(`\u{FEFF}${HEADER}${LINE}${LINE}`);
});

it("writes only the header if there are no clicks", async () => {
  expect(await textOf()).toBe(`\u{FEFF}${HEADER}`);
  expect(await textOf([], [])).toBe(`\u{FEFF}${HEADER}`);
});

it("skips empty pages", async () => {
  expect(await textOf([], [CLICK], [], [], [CLICK], [])).toBe(`\u{FEFF}${HEADER}${LINE}${LINE}`);
});

it("leaves unknown values empty and writes booleans as words", async () => {
  const geo = { country: null, region: null, city: null, continent: null };
  const [row] = await rowsOf([{ ...CLICK, geo, referrer: null, bot: true }]);
  expect(row).toMatchObject({ country: "", region: "", city: "", continent: "", referrer: "", bot: "true" });
});

it.each([
  'a "quoted" name',
  '"',
  "Washington, D.C.",
  "two\nlines",
  "two\r\nlines",
  "an old\rline",
  "東京 🏙️ \u{202E}",
  " spaces ",
  "semi;colon",
  "",
  "it's",
  "\u{FEFF}mark",
  "nul\0",
])("keeps %j unchanged", async (city) => {
  const [row, ...more] = await rowsOf([{ ...CLICK, geo: { ...CLICK.geo, city } }]);
  expect(row).toMatchObject({ id: "clk_1", city, continent: "SA", bot: "false" });
  expect(more).toEqual([]);
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'1", '=HYPERLINK("https://a.example","b")', "=1,2", "＝1"])(
  "escapes the formula %j",
  async (hostile) => {
    const geo = { country: hostile, region: hostile, city: hostile, continent: hostile };
    const [row] = await rowsOf([{ ...CLICK, geo, browser: hostile, os: hostile, referrer: hostile }]);
    for (const column of ["country", "region", "city", "continent", "browser", "os", "referrer"])
      expect(row?.[column]).toBe(`'${hostile}`);
  },
);

it("gives any text back once an apostrophe at its front is removed", async () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "=", ";", "\t", " ", "'", "a") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (cities) => {
      const rows = await rowsOf(
        cities.map(([city, referrer]) => ({ ...CLICK, geo: { ...CLICK.geo, city }, referrer })),
      );
      const unescaped = (value: string | undefined) => (value?.startsWith("'") === true ? value.slice(1) : value);
      expect(rows.map((row) => [unescaped(row["city"]), unescaped(row["referrer"])])).toEqual(cities);
    }),
  );
});

it("reads a page only when the consumer wants more", async () => {
  let pagesRead = 0;
  async function* pages() {
    for (;;) {
      pagesRead += 1;
      yield [CLICK];
    }
  }
  const reader = toCsv(pages()).getReader();
  await scheduler.wait(5);
  expect(pagesRead).toBe(0);
  await reader.read();
  await scheduler.wait(5);
  expect(pagesRead).toBe(1);
  await reader.read();
  await reader.read();
  expect(pagesRead).toBe(3);
  await reader.cancel();
});

it("closes the iterator when the consumer cancels", async () => {
  let released = false;
  async function* pages() {
    try {
      for (;;) yield [CLICK];
    } finally {
      released = true;
    }
  }
  const reader = toCsv(pages()).getReader();
  await reader.read();
  await reader.cancel();
  expect(released).toBe(true);
});

it("fails with the error of a page instead of ending early", async () => {
  async function* pages() {
    yield [CLICK];
    throw new Error("the log failed");
  }
  const reader = toCsv(pages()).getReader();
  expect((await reader.read()).done).toBe(false);
  await expect(reader.read()).rejects.toThrow("the log failed");
  await expect(new Response(toCsv(pages())).text()).rejects.toThrow();
});

it.each([
  ["UTC", "2026-11-21T12:34:56.789Z"],
  ["utc", "2026-11-21T12:34:56.789Z"],
  ["Europe/Berlin", "2026-11-21T13:34:56.789+01:00"],
  ["America/St_Johns", "2026-11-21T09:04:56.789-03:30"],
  ["Asia/Kathmandu", "2026-11-21T18:19:56.789+05:45"],
])("writes times with the offset of %s", async (timezone, clickedAt) => {
  const text = await new Response(toCsv(pagesOf([CLICK]), timezone)).text();
  expect(parse(text, { bom: true, columns: true })).toMatchObject([{ clickedAt }]);
});

it("writes times on both sides of a clock change", async () => {
  const change = Date.UTC(2026, 9, 25, 1);
  const [summer, winter] = [
    { ...CLICK, clickedAt: change - 1 },
    { ...CLICK, clickedAt: change },
  ];
  const clicks = [summer, winter, summer];
  const text = await new Response(toCsv(pagesOf(clicks), "Europe/Berlin")).text();
  const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
  expect(rows.map(({ clickedAt }) => clickedAt)).toEqual([
    "2026-10-25T02:59:59.999+02:00",
    "2026-10-25T02:00:00.000+01:00",
    "2026-10-25T02:59:59.999+02:00",
  ]);
});

it("leaves the short URL of a deleted link empty", async () => {
  expect(await rowsOf([{ ...CLICK, shortUrl: null }])).toMatchObject([{ shortUrl: "" }]);
});

it("fails on an invalid time", async () => {
  await expect(textOf([{ ...CLICK, clickedAt: Number.NaN }])).rejects.toThrow();
});

it("streams a hundred thousand clicks", async () => {
  async function* pages() {
    for (let page = 0; page < 100; page += 1) {
      yield Array.from({ length: 1_000 }, (_, index) => ({ ...CLICK, id: `clk_${page * 1_000 + index}` }));
    }
  }
  const text = await new Response(toCsv(pages())).text();
  const lines = text.split("\r\n");
  expect(lines).toHaveLength(100_002);
  expect([lines[1]?.split(",")[0], lines[100_000]?.split(",")[0], lines[100_001]]).toEqual(["clk_0", "clk_99999", ""]);
});
