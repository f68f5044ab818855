import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

it("reads an export of Sink", async () => {
  const links = [
    { id: "a", url: "https://example.com/1", slug: "plain", createdAt: 1_767_323_045, updatedAt: 1_767_323_045 },
    {
      id: "b",
      url: "https://example.com/2",
      slug: "rich",
      comment: "For the team",
      createdAt: 1_767_323_046,
      updatedAt: 1_767_323_046,
      expiration: 1_893_456_000,
      title: "Preview",
      description: "What it shows",
      image: "https://example.com/a.png",
      apple: "https://apps.apple.com/app/1",
      google: "https://play.google.com/store/apps/1",
      geo: { DE: "https://example.com/de" },
      tags: ["one", "two, three"],
      password: "$hash$",
    },
  ];
  const file = JSON.stringify(
    { version: "1.0", exportedAt: "2026-01-03T00:00:00.000Z", count: 2, links, cursor: "x", list_complete: true },
    null,
    2,
  );
  const { source, rows } = await readImport(file, 13);
  expect(source).toBe("sink");
  expect(rows).toEqual([
    importRow({ line: 1, slug: "plain", createdAt: 1_767_323_045_000, input: { url: "https://example.com/1" } }),
    importRow({
      line: 2,
      slug: "rich",
      createdAt: 1_767_323_046_000,
      notices: ["password"],
      input: {
        url: "https://example.com/2",
        title: "For the team",
        tags: ["one", "two, three"],
        expiresAt: 1_893_456_000_000,
        ios: "https://apps.apple.com/app/1",
        android: "https://play.google.com/store/apps/1",
        geo: { DE: "https://example.com/de" },
        preview: { title: "Preview", description: "What it shows", image: "https://example.com/a.png" },
      },
    }),
  ]);
});
