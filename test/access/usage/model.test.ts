import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { deletedLinkBytes, linkBytes } from "../../../src/links/store/row.ts";
import { call, createAccount, jsonOf, runCron } from "../../support/api.ts";
import { handOver, insertDomain } from "../../support/domains.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";

const SEED = 1;
const ROUNDS = 8;
const PARALLEL = 8;
const DAY_MS = 86_400_000;
const MAX_LINKS = 12;
const MAX_LINK_BYTES = 12_000;
const DOMAIN = "go.example";

/** Numbers from 0 to `below` - 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Every account's usage as it is stored, and as its rows say. */
async function readUsage(): Promise<{ stored: unknown[]; counted: unknown[] }> {
  const stored = env.DB.prepare("SELECT account_id, links, link_bytes AS bytes FROM account_usage ORDER BY account_id");
  const counted = env.DB.prepare(
    `SELECT a.id AS account_id, coalesce(sum(r.links), 0) AS links, coalesce(sum(r.bytes), 0) AS bytes FROM accounts a
     LEFT JOIN (SELECT account_id, 1 AS links, ${linkBytes((column) => column)} AS bytes FROM links
       UNION ALL SELECT account_id, 0, ${deletedLinkBytes("link")} FROM deleted_links) r ON r.account_id = a.id
     GROUP BY a.id ORDER BY a.id`,
  );
  const [first, second] = await env.DB.batch([stored, counted]);
  return { stored: first?.results ?? [], counted: second?.results ?? [] };
}

let accounts: { key: string; accountId: number }[];
beforeEach(async () => {
  accounts = [await createAccount(), await createAccount()];
  await insertDomain(accounts[0]?.accountId ?? 0, DOMAIN);
  const [first = 0, second = 0] = accounts.map(({ accountId }) => accountId);
  const setQuota = (column: string) => env.DB.prepare(`UPDATE account_usage SET ${column} = ?2 WHERE account_id = ?1`);
  await setQuota("max_links").bind(first, MAX_LINKS).run();
  await setQuota("max_link_bytes").bind(second, MAX_LINK_BYTES).run();
});

it("the usage is that of the rows after any operations, also parallel ones, and never exceeds the quota of links", async () => {
  const random = randomNumbers(SEED);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const maybe = (fields: object) => (random(3) === 0 ? fields : {});
  const ids: string[] = ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"];
  const errors = new Set<string>();
  const newText = () => pick(["x", "é", "株", "🦆"]).repeat(random(40) + 1);
  const newTags = () => Array.from({ length: random(4) }, () => pick(["sale", "Sale", "spring", "ü", "long-tag"]));

  const settings = () => ({
    ...maybe({ title: pick([null, newText()]) }),
    ...maybe({ tags: newTags() }),
    ...maybe({ slug: `s${random(30)}` }),
    ...maybe({ externalId: `e${random(30)}` }),
    ...maybe({ geo: { DE: `https://example.com/${newText()}` } }),
    ...maybe({ password: "pass-word", expiresAt: Date.now() + 3_600_000, maxClicks: 2 }),
  });
  const newLink = () => ({
    url: `https://example.com/${newText()}`,
    ...settings(),
    ...maybe({ domain: DOMAIN, slug: `d${random(6)}` }),
  });
  const repeatable = () => (random(3) === 0 ? { "Idempotency-Key": `key-${random(12)}` } : undefined);

  async function send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<void> {
    const { key } = pick(accounts);
    const response = await call(method, path, { key, body, ...(headers !== undefined && { headers }) });
    const json = await jsonOf<{ error?: string; link?: Link; results?: { link?: Link; error?: string }[] }>(response);
    expect(response.status, JSON.stringify(json)).toBeLessThan(500);
    for (const { link, error } of [json, ...(json.results ?? [])]) {
      if (link !== undefined) ids.push(link.id);
      if (error !== undefined) errors.add(error);
    }
  }

  const operations: (() => Promise<unknown>)[] = [
    () => send("POST", "/api/links", newLink(), repeatable()),
    () => send("POST", "/api/shorten", { url: `https://example.com/${newText()}` }, repeatable()),
    () => send("PUT", "/api/links/upsert", { ...newLink(), externalId: `e${random(30)}` }, repeatable()),
    () => send("POST", "/api/links/bulk", { links: Array.from({ length: 6 }, newLink) }, repeatable()),
    () => send("PATCH", `/api/links/${pick(ids)}`, settings()),
    () => send("PATCH", `/api/links/${pick(ids)}`, { aliases: [] }),
    () => send("PATCH", "/api/links/bulk", { ids: [pick(ids), pick(ids)], changes: { title: newText() } }),
    () =>
      send("PATCH", "/api/links/bulk", {
        ids: [pick(ids), pick(ids)],
        changes: { utm: { source: `s${random(9)}` } },
      }),
    () => send("DELETE", `/api/links/${pick(ids)}`),
    () => send("DELETE", "/api/links/bulk", { ids: [pick(ids), pick(ids), pick(ids)] }),
    () => send("POST", `/api/links/${pick(ids)}/restore`),
    () => send("POST", `/api/links/${pick(ids)}/restore`),
    () => send("PATCH", `/api/tags/${pick(["sale", "spring", "long-tag"])}`, { name: newText() }),
    () => send("DELETE", `/api/tags/${pick(["sale", "ü"])}`),
  ];

  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: PARALLEL }, () => pick(operations)()));
    if (round % 3 === 2) {
      const links = [newLink(), newLink(), newLink()];
      await loseFirstResponse("INSERT INTO links", () => send("POST", "/api/links/bulk", { links }, repeatable()));
    }
    if (round % 4 === 3) await handOver(DOMAIN, pick(accounts).accountId);
    if (round === 6) {
      const { id, account_id: owner } = (await env.DB.prepare("SELECT id, account_id FROM domains").first()) as {
        id: string;
        account_id: number;
      };
      const { key = "" } = accounts.find(({ accountId }) => accountId === owner) ?? {};
      expect((await call("DELETE", `/api/domains/${id}?force=true`, { key })).status).toBe(200);
    }
    await runCron(Date.now() + (round === 4 ? 8 : 0) * DAY_MS);
    const { stored, counted } = await readUsage();
    expect(stored, `after round ${round}`).toEqual(counted);
    expect((stored as { links: number }[])[0]?.links).toBeLessThanOrEqual(MAX_LINKS);
  }
  // Both quotas are met.
  for (const { key } of accounts) {
    const links = Array.from({ length: 30 }, () => ({ url: "https://example.com/" }));
    const response = await call("POST", "/api/links/bulk", { key, body: { links } });
    const { results } = await jsonOf<{ results: { error?: string }[] }>(response);
    for (const { error } of results) errors.add(error ?? "");
  }
  expect([...errors].filter((error) => error.startsWith("The quota"))).toHaveLength(2);
  const { stored, counted } = await readUsage();
  expect(stored).toEqual(counted);
  expect(ids.length).toBeGreaterThan(20);
}, 60_000);
