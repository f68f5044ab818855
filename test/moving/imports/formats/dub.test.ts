import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

const COLUMNS =
  "Short link,Destination URL,Clicks,Leads,Conversions,Revenue,Created at,Link ID,Updated at,Tags,Archived";

it("reads an export of Dub with all columns", async () => {
  const { source, rows } = await readImport(
    `${COLUMNS}\nhttps://dub.sh/launch,https://example.com/launch,"2,001",3,1,$10.00,2026-04-05T06:07:08.009Z,link_1,2026-04-06T00:00:00.000Z,"news, spring",Yes\nhttps://dub.sh/other,https://example.com/other,0,0,0,$0.00,2026-04-05T06:07:08.009Z,link_2,2026-04-06T00:00:00.000Z,,No\n`,
  );
  expect(source).toBe("dub");
  const createdAt = Date.UTC(2026, 3, 5, 6, 7, 8, 9);
  expect(rows).toEqual([
    importRow({
      host: "dub.sh",
      slug: "launch",
      createdAt,
      importedClicks: 2_001,
      input: { url: "https://example.com/launch", tags: ["news", "spring"], archived: true },
    }),
    importRow({ line: 3, host: "dub.sh", slug: "other", createdAt, input: { url: "https://example.com/other" } }),
  ]);
});

it("reads an export of Dub with the default columns", async () => {
  const { source, rows } = await readImport(
    "Short link,Destination URL,Clicks,Created at\ndub.sh/deep/er,https://example.com/,17,2026-04-05\n",
  );
  expect(source).toBe("dub");
  // A slug cannot have a slash. The import says so.
  expect(rows[0]).toMatchObject({ host: "dub.sh", slug: "deep/er", importedClicks: 17 });
});

it("refuses the link of a domain itself, which Dub calls _root", async () => {
  const { source, rows } = await readImport(
    "Short link,Destination URL\nhttps://go.example/_root,https://a.example\nhttps://go.example,https://b.example\ngo.example/,https://c.example\nhttps://go.example/x,https://d.example\n",
  );
  expect(source).toBe("dub");
  expect(rows.map(({ faults }) => faults.map(({ path }) => path))).toEqual([["slug"], ["slug"], ["slug"], []]);
});
