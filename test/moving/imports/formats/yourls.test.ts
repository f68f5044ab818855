import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

it("reads the file of YOURLS's export plugin", async () => {
  const { source, rows } = await readImport(
    '"source","target","hits"\r\n"/keyword/","https://example.com/?q=""x""","7"\r\n"/other/","https://example.com/b","1,000"\r\n',
  );
  expect(source).toBe("yourls");
  expect(rows).toEqual([
    importRow({ slug: "keyword", importedClicks: 7, input: { url: 'https://example.com/?q="x"' } }),
    importRow({ line: 3, slug: "other", importedClicks: 1_000, input: { url: "https://example.com/b" } }),
  ]);
});

it("reads the table of YOURLS", async () => {
  const { source, mapping, rows } = await readImport(
    "keyword,url,title,timestamp,ip,clicks\nozh,https://example.com/,Example,2026-06-07 08:09:10,203.0.113.7,99\n",
  );
  expect(source).toBe("yourls");
  expect(Object.values(mapping)).not.toContain("ip");
  expect(rows).toEqual([
    importRow({
      slug: "ozh",
      createdAt: Date.UTC(2026, 5, 7, 8, 9, 10),
      importedClicks: 99,
      input: { url: "https://example.com/", title: "Example" },
    }),
  ]);
});
