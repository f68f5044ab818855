import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { applyChanges } from "../../../src/redirect/lookup/apply-changes.ts";
import {
  decodeChanges,
  encodeChanges,
  type CacheChange,
  type LinkChange,
  type ToldChange,
} from "../../../src/redirect/lookup/cache-changes.ts";
import { toEntry, type RedirectEntry, type RedirectRow } from "../../../src/redirect/lookup/entry.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { MAX_CHANGES_HEADER_CHARS } from "../../../src/redirect/limits.ts";
import { call, createAccount, createLink } from "../../support/api.ts";

const NOW = 1_800_000_000_000;

const ROW: RedirectRow = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  account_id: 1,
  case_sensitive: 0,
  url: "https://example.com/ü",
  redirect_status: 302,
  disabled: 0,
  starts_at: null,
  expires_at: null,
  expired_url: null,
  max_clicks: null,
  visits: 0,
  password_hash: null,
  ios: null,
  android: null,
  geo: null,
  rules: null,
  preview: '{"title":"Grüße ✓"}',
  verdict: 0,
  updated_at: NOW,
};

function linkChange(slug: string, row: Partial<RedirectRow> = {}): LinkChange {
  return { domain: "", slugs: [slug], entry: toEntry({ ...ROW, ...row }, NOW), isGone: false };
}

const told = (changes: CacheChange[]): ToldChange[] => changes.map((change) => ({ change, database: 0 }));
const entryOf = ({ change }: ToldChange) => ("slugs" in change ? change.entry : undefined);

describe("the header with changes", () => {
  it("has ASCII only, and is read as it was written", () => {
    const changes = told([linkChange("grüße"), { accountId: 7, isDeleted: true }]);
    const header = encodeChanges(changes);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(decodeChanges(header)).toEqual(JSON.parse(JSON.stringify(changes)));
  });

  it("has versions only where the entries are too long, so that the database is read", () => {
    const preview = JSON.stringify({ description: "x".repeat(1_000) });
    const changes = told(Array.from({ length: 100 }, (_, n) => linkChange(`slug-${n}`, { preview })));
    const header = encodeChanges(changes);
    expect(header.length).toBeLessThanOrEqual(MAX_CHANGES_HEADER_CHARS);
    const read = decodeChanges(header).map(entryOf) as RedirectEntry[];
    expect(read).toHaveLength(100);
    for (const entry of read) expect(entry).toMatchObject({ updatedAt: NOW, bypassCache: true, location: "" });
    const whole = decodeChanges(encodeChanges(told([linkChange("one")])))[0] as ToldChange;
    // The database has these links, so they are no tombstones, whose look-ups are bounded.
    expect(Object.keys(read[0] ?? {}).toSorted()).toEqual(Object.keys(entryOf(whole) ?? {}).toSorted());
  });

  it("has the first changes only where even the versions are too long, and a log line counts the others", () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => {});
    const header = encodeChanges(told(Array.from({ length: 1_000 }, (_, n) => linkChange(`slug-${n}`))));
    expect(header.length).toBeLessThanOrEqual(MAX_CHANGES_HEADER_CHARS);
    const read = decodeChanges(header);
    expect(read.length).toBeGreaterThan(100);
    expect(read.map(({ change }) => "slugs" in change && change.slugs[0])).toEqual(read.map((_, n) => `slug-${n}`));
    expect(log.mock.calls.flat().join()).toContain(`"changes":${1_000 - read.length}`);
  });
});

describe("the redirect Worker", () => {
  async function apply(header: string): Promise<void> {
    const ctx = createExecutionContext();
    await applyChanges(header, "request", env, ctx);
    await waitOnExecutionContext(ctx);
  }

  it.each([
    ["is too long", (header: string) => header.padEnd(MAX_CHANGES_HEADER_CHARS + 1)],
    ["has entries of another form", (header: string) => header.replace(/"form":"[^"]+"/, '"form":"links-0"')],
    ["is not JSON", (header: string) => header.slice(1)],
  ])("ignores a header that %s, and logs it", async (_, spoil) => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { key, accountId } = await createAccount();
    await createLink(key, { slug: "kept" });
    const header = encodeChanges(told([{ accountId, isDeleted: true }]));
    await apply(spoil(header));
    expect((await call("GET", "/kept")).status).toBe(302);
    expect(log.mock.calls.flat().join()).toContain("changes_not_applied");
    await apply(header);
    expect((await call("GET", "/kept")).status).toBe(404);
    memoryCache.clear();
  });
});
