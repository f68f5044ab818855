import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

it.each([
  "slashtag,destination,domain,title,tags,createdAt",
  "Slashtag,Destination,domainName,Title,Tags,Created At",
  "Slashtag,Destination URL,Domain,Title,Tags,Created At",
])("reads an export of Rebrandly with the columns %s", async (columns) => {
  const { source, rows } = await readImport(
    `${columns}\nsale,https://example.com/sale,rebrand.ly,Sale,"x, y",2026-02-03T04:05:06.000Z\n`,
  );
  expect(source).toBe("rebrandly");
  expect(rows).toEqual([
    importRow({
      host: "rebrand.ly",
      slug: "sale",
      createdAt: Date.UTC(2026, 1, 3, 4, 5, 6),
      input: { url: "https://example.com/sale", title: "Sale", tags: ["x", "y"] },
    }),
  ]);
});
