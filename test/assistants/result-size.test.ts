import { describe, expect, it } from "vitest";
import { MAX_RESULT_CHARS } from "../../src/assistants/limits.ts";
import { createAccount, createLink } from "../support/api.ts";
import { callTool, dataOf, textOf } from "./client.ts";

/** More than a result has besides its links. */
const FRAME_CHARS = 300;

describe("links", () => {
  it("with very long destinations are listed without loss and within the size of a result", async () => {
    const { key } = await createAccount();
    const title = "t".repeat(300);
    const tags = Array.from({ length: 20 }, (_, n) => `${n}-`.padEnd(50, "x"));
    for (let n = 0; n < 30; n++)
      await createLink(key, { url: `https://example.com/${"p".repeat(7_000)}${n}`, title, tags });
    const seen = new Set<string>();
    let next: string | undefined;
    do {
      const page = await dataOf<{ links: { id: string }[]; next?: string }>(key, "list_links", {
        ...(next !== undefined && { next }),
      });
      expect(JSON.stringify(page).length).toBeLessThanOrEqual(MAX_RESULT_CHARS + FRAME_CHARS);
      for (const { id } of page.links) seen.add(id);
      ({ next } = page);
    } while (next !== undefined);
    expect(seen.size).toBe(30);
  });

  it("with long texts are all in the words of a dry run or a creation, and in its data as far as they fit", async () => {
    const { key } = await createAccount();
    const tags = Array.from({ length: 20 }, (_, n) => `${n}-`.padEnd(50, "x"));
    const links = Array.from({ length: 24 }, (_, n) => ({
      url: `https://example.com/${n}-${"p".repeat(7_000)}`,
      title: "t".repeat(300),
      tags,
    }));
    await createLink(key, { slug: "taken" });
    const taken = { url: `https://example.com/${"p".repeat(7_000)}`, slug: "taken" };
    const created = await callTool(key, "create_links", { links: [...links, taken] });
    const ids = Array.from(textOf(created).matchAll(/\(id ([^,]+)/g), ([, id = ""]) => id);
    const deletion = await callTool(key, "delete_links", { ids, dryRun: true });
    const change = await callTool(key, "bulk_update_links", {
      filter: { tag: tags.slice(0, 1) },
      changes: { archived: true },
      dryRun: true,
    });
    expect(created.structuredContent).toMatchObject({ created: 24, failed: [{ index: 24 }] });
    expect(deletion.structuredContent).toMatchObject({ wouldDelete: 24 });
    expect(change.structuredContent).toMatchObject({ wouldChange: 24 });
    for (const { content, structuredContent = {} } of [created, deletion, change]) {
      expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(MAX_RESULT_CHARS + FRAME_CHARS);
      const shown = (structuredContent["links"] ?? structuredContent["examples"]) as { id: string }[];
      expect(shown.length).toBeGreaterThan(10);
      expect(shown.length).toBeLessThan(24);
      for (const id of ids) expect(textOf({ content })).toContain(id);
    }
  });
});
