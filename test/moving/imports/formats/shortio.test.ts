import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

it("reads an export of Short.io", async () => {
  const { source, rows } = await readImport(
    'idString,shortURL,originalPath,originalURL,title,clicks,createdAt,updatedAt,expiresAt,createdBy,tags\nlnk_1,https://s.example/x1,x1,https://example.com/1,"Title, one",12,1767323045006,2026-01-02T03:04:05.006Z,1893456000,someone@example.com,"a,b"\n',
  );
  expect(source).toBe("shortio");
  expect(rows).toEqual([
    importRow({
      host: "s.example",
      slug: "x1",
      createdAt: 1_767_323_045_006,
      importedClicks: 12,
      input: { url: "https://example.com/1", title: "Title, one", tags: ["a", "b"], expiresAt: 1_893_456_000_000 },
    }),
  ]);
});

it("refuses the statistics workbook of Short.io and says why", async () => {
  const workbook = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  await expect(readImport(workbook)).rejects.toMatchObject({ fault: { code: "file_is_workbook" } });
});

it("reads the names of Short.io's API", async () => {
  const link = {
    originalURL: "https://a.example",
    path: "sale",
    secureShortURL: "https://s.example/sale",
    iphoneURL: "https://i.example",
  };
  const { source, rows } = await readImport(JSON.stringify({ count: 1, links: [{ ...link, clicksLimit: 5 }] }));
  expect(source).toBe("shortio");
  expect(rows[0]).toMatchObject({
    host: "s.example",
    slug: "sale",
    input: { url: "https://a.example", ios: "https://i.example", maxClicks: 5 },
  });
});
