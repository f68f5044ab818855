import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

it("reads an export of Shlink's web client", async () => {
  const { source, rows } = await readImport(
    '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"\n"2026-05-06T07:08:09+02:00","s.example","AbC","https://s.example/AbC","https://example.com/a","","one|two","1500"\n"2026-05-06T07:08:09+02:00","DEFAULT","aBc","http://main.example/aBc","https://example.com/b","B","","0"\n',
  );
  expect(source).toBe("shlink");
  const createdAt = Date.UTC(2026, 4, 6, 5, 8, 9);
  expect(rows).toEqual([
    importRow({
      host: "s.example",
      slug: "AbC",
      createdAt,
      importedClicks: 1_500,
      input: { url: "https://example.com/a", tags: ["one", "two"] },
    }),
    importRow({
      line: 3,
      host: "main.example",
      slug: "aBc",
      createdAt,
      input: { url: "https://example.com/b", title: "B" },
    }),
  ]);
});

it("reads a file for Shlink's importer", async () => {
  const { source, rows } = await readImport(
    "Long URL;Short code;Domain;Title;Tags;Short URL\nhttps://example.com/a;code-1;;A title;x|y;https://s.example/code-1\n",
  );
  expect(source).toBe("shlink");
  expect(rows).toEqual([
    importRow({
      host: "s.example",
      slug: "code-1",
      input: { url: "https://example.com/a", title: "A title", tags: ["x", "y"] },
    }),
  ]);
});
