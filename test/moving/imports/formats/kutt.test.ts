import { expect, it } from "vitest";
import { importRow, readImport } from "./support.ts";

const LINK = {
  address: "first",
  banned: false,
  created_at: "2026-01-02T03:04:05.006Z",
  id: "aa4fa1ee-4ff3-4ee9-9a0b-4a3a8d3a5b1c",
  link: "https://kutt.example/first",
  password: false,
  target: "https://example.com/first",
  description: null,
  updated_at: "2026-01-02T03:04:05.006Z",
  visit_count: 42,
  expire_in: null,
  domain: null,
};

it("reads a response of Kutt's API", async () => {
  const links = [
    LINK,
    {
      ...LINK,
      address: "second",
      link: "https://own.example/second",
      domain: "own.example",
      password: true,
      banned: true,
      description: "A “quoted” text\nin two lines",
      expire_in: "2030-01-01T00:00:00.000Z",
      visit_count: 0,
    },
  ];
  const { source, rows } = await readImport(JSON.stringify({ limit: 50, skip: 0, total: 2, data: links }), 11);
  expect(source).toBe("kutt");
  const createdAt = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  expect(rows).toEqual([
    importRow({
      line: 1,
      host: "kutt.example",
      slug: "first",
      createdAt,
      importedClicks: 42,
      input: { url: "https://example.com/first" },
    }),
    importRow({
      line: 2,
      host: "own.example",
      slug: "second",
      createdAt,
      isDead: true,
      notices: ["password"],
      input: {
        url: "https://example.com/first",
        title: "A “quoted” text in two lines",
        expiresAt: Date.UTC(2030, 0, 1),
      },
    }),
  ]);
});
