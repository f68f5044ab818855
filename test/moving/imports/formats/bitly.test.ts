import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

const EXPORT = [
  "Link,Custom Link,Date created,Title,Destination URL,Engagements,Status",
  'https://bit.ly/3xYzAbC,https://brand.example/Spring,2026-03-01 10:20:30,"Spring ""sale"", part 1",https://example.com/spring?a=1&b=2,"1,234",Active',
  'bit.ly/3xYzAbc,,2026-03-02T10:20:30+0000,"Two',
  'lines",https://example.com/two,"12,345,678",Active',
  'https://bit.ly/4dEf,,2026-03-03,"=HYPERLINK(""https://evil.example"")",https://example.com/gone,0,Deleted',
].join("\r\n");

it("reads an export of Bitly, with a byte order mark, quoted lines and numbers in thousands", async () => {
  const { source, mapping, rows } = await readImport(`\u{FEFF}${EXPORT}\r\n`, 7);
  expect(source).toBe("bitly");
  expect(mapping).toEqual({
    url: "Destination URL",
    shortUrl: "Custom Link",
    aliasUrl: "Link",
    title: "Title",
    createdAt: "Date created",
    importedClicks: "Engagements",
    status: "Status",
  });
  expect(rows).toEqual([
    importRow({
      line: 2,
      host: "brand.example",
      slug: "Spring",
      aliases: [{ host: "bit.ly", slug: "3xYzAbC" }],
      createdAt: Date.UTC(2026, 2, 1, 10, 20, 30),
      importedClicks: 1_234,
      input: { url: "https://example.com/spring?a=1&b=2", title: 'Spring "sale", part 1' },
    }),
    importRow({
      line: 3,
      host: "bit.ly",
      slug: "3xYzAbc",
      createdAt: Date.UTC(2026, 2, 2, 10, 20, 30),
      importedClicks: 12_345_678,
      input: { url: "https://example.com/two", title: "Two lines" },
    }),
    importRow({
      line: 5,
      host: "bit.ly",
      slug: "4dEf",
      isDead: true,
      createdAt: Date.UTC(2026, 2, 3),
      input: { url: "https://example.com/gone", title: '=HYPERLINK("https://evil.example")' },
    }),
  ]);
});

it("reads the older export of Bitly and the names of its API", async () => {
  const older = await readImport('Bitlink;Title;Long URL;Tags\nbit.ly/a1;"One; two";https://example.com/1;"x, y|z"\n');
  expect(older.source).toBe("bitly");
  expect(older.rows).toEqual([
    importRow({
      host: "bit.ly",
      slug: "a1",
      input: { url: "https://example.com/1", title: "One; two", tags: ["x", "y", "z"] },
    }),
  ]);

  const api = await readImport(
    "long_url\tlink\ttitle\tcreated_at\nhttps://example.com/2\thttps://bit.ly/b2\tTwo\t2026-01-02T03:04:05+0100\n",
  );
  expect(api.source).toBe("bitly");
  expect(api.rows).toEqual([
    importRow({
      host: "bit.ly",
      slug: "b2",
      createdAt: Date.UTC(2026, 0, 2, 2, 4, 5),
      input: { url: "https://example.com/2", title: "Two" },
    }),
  ]);
});
