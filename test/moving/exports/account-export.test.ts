import { parse } from "csv-parse/sync";
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { Rollup } from "../../../src/click-log/log/rollup.ts";
import { DAY_MS } from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, createLink, addKey, jsonOf } from "../../support/api.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { changeBy } from "../../support/accounts.ts";
import { insertWebhook } from "../../../src/webhooks/store/insert.ts";
import { insertDomain } from "../../support/domains.ts";
import { fakeImage } from "../../support/fake-image.ts";
import { signUp } from "../../identity/people/support.ts";
import { fetchFile, finish, linesOf, personalAccount, startExport, unzip } from "./support.ts";

const QUARTER_HOURS = { level: 1, freesPages: false } as const;

const NAMES = [
  "links",
  "clicks",
  "click-counts",
  "utm-templates",
  "notes",
  "domains",
  "webhooks",
  "shared-pages",
  "keys",
  "members",
  "audit",
];

const WEBHOOK = {
  url: "https://hooks.example/?key=mine",
  events: ["link.create" as const],
  format: "slack" as const,
  linkIds: null,
  tags: ["日本"],
  sealedSecret: "the encrypted secret",
  secretStart: "whsec_C2",
};

it("has every record of the account once, as JSON lines and as CSV, and no secret", async () => {
  const { browser, userId, email } = await signUp();
  const accountId = await personalAccount(userId);
  const { key } = await addKey(accountId);
  const hostile = { title: '=HYPERLINK("https://evil.test"), "ünïcode" 👍', slug: "first", password: "correct horse" };
  const created = [await createLink(key, { ...hostile, url: "https://example.com/?a=ü", tags: ["+1", "日本"] })];
  for (let call = 0; call < 3; call++) created.push(...(await createLinks(key, 100)));
  const archived = created[7]?.id ?? "";
  await call("PATCH", `/api/links/${archived}`, { key, body: { archived: true } });
  const clicks = 2_400;
  for (let first = 0; first < clicks; first += 200) {
    const batch = Array.from({ length: 200 }, (_, index) =>
      clickOn(created[(first + index) % 50]?.id ?? "", accountId, { ip: `203.0.113.${index}`, referrer: "-1.example" }),
    );
    await consume([messageOf(batch)]);
  }
  // As if the clicks of these links were over 90 days old.
  const day = Math.floor(Date.now() / DAY_MS);
  const old = created.slice(0, 3).map(({ id }) => id);
  await runInDurableObject(logOf(accountId), (_, { storage }) => {
    const later = Date.now() + 90 * DAY_MS;
    for (const link of old) new Rollup(storage).step({ link, day }, QUARTER_HOURS, later);
  });
  const domainId = await insertDomain(accountId, "go.acme.com");
  const qrStyle = { foreground: "#12492b", logo: fakeImage("png", 32_000) };
  expect((await call("PUT", `/api/domains/${domainId}/qr-style`, { key, body: { qrStyle } })).status).toBe(200);
  const template = { name: "Newsletter", utm: { source: "news", medium: "=mail" } };
  expect((await call("POST", "/api/utm-templates", { key, body: template })).status).toBe(201);
  const note = { at: 1_790_000_000_000, text: "=Mail sent", linkId: null, tag: "日本" };
  expect((await call("POST", "/api/notes", { key, body: { ...note, linkId: undefined } })).status).toBe(201);
  await insertWebhook(env.DB, changeBy(accountId), { ...WEBHOOK, id: newId(Date.now()) });

  await call("POST", "/api/shared-pages", { key, body: { tag: "日本", password: "correct horse" } });

  await browser.patch("/api/account", { clickRetentionDays: 30 });
  const { id } = await startExport(browser);
  // What comes later is not in it.
  await createLink(key);
  const state = await finish(browser, id);
  expect(state).toMatchObject({ status: "done", error: null });
  const response = await fetchFile(browser, id);
  const file = await response.arrayBuffer();
  expect(response.headers.get("Content-Length")).toBe(String(file.byteLength));
  expect(state.size).toBe(file.byteLength);

  const texts = await unzip(file);
  expect([...texts.keys()]).toEqual([...NAMES.flatMap((name) => [`${name}.jsonl`, `${name}.csv`]), "export.json"]);
  const audit = await env.DB.prepare(
    "SELECT count(*) AS entries FROM audit_entries WHERE action <> 'export.download'",
  ).first<number>("entries");
  const counts = {
    links: 301,
    clicks: clicks - old.length * 48,
    "utm-templates": 1,
    notes: 1,
    domains: 1,
    webhooks: 1,
    "shared-pages": 1,
    keys: 1,
    members: 1,
    audit: audit ?? 0,
  };
  expect(JSON.parse(texts.get("export.json") ?? "")).toMatchObject({
    exportId: id,
    account: { kind: "personal", name: "Ann Lee", clickRetentionDays: 30 },
    records: counts,
  });
  const sums = linesOf<{ linkId: string; clicks: number }>(texts, "click-counts.jsonl");
  expect(new Set(sums.map(({ linkId }) => linkId))).toEqual(new Set(old));
  expect(sums.reduce((sum, count) => sum + count.clicks, 0)).toBe(old.length * 48);
  const rolledUp = parse<Record<string, string>>(texts.get("click-counts.csv") ?? "", { bom: true, columns: true });
  expect(rolledUp.map((row) => row["clicks"])).toEqual(sums.map(({ clicks }) => String(clicks)));
  expect(sums[0]).toMatchObject({ geo: { country: "DE" }, referrer: null, bot: false });
  const total = sums.length + Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(state.progress).toEqual({ done: total, total });
  for (const [name, count] of Object.entries(counts)) {
    const rows = parse<Record<string, string>>(texts.get(`${name}.csv`) ?? "", { bom: true, columns: true });
    expect([name, linesOf(texts, `${name}.jsonl`).length, rows.length]).toEqual([name, count, count]);
    const ids = new Set(linesOf(texts, `${name}.jsonl`).map((record) => record["id"] ?? record["userId"]));
    expect(ids.size).toBe(count);
    expect(rows.map((row) => row["id"] ?? row["userId"])).toEqual([...ids]);
  }
  expect(linesOf(texts, "domains.jsonl")).toMatchObject([{ domain: "go.acme.com", qrStyle }]);
  expect(texts.get("domains.csv")).toContain(JSON.stringify(qrStyle).replaceAll('"', '""'));
  const links = new Map(linesOf<Link>(texts, "links.jsonl").map((link) => [link.id, link]));
  const { link: shown } = await jsonOf<{ link: Link }>(await call("GET", `/api/links/${created[0]?.id}`, { key }));
  expect(links.get(shown.id)).toEqual(shown);
  expect(shown.clicks).toBe(48);
  expect(links.get(archived)?.archived).toBe(true);
  const rows = parse<Record<string, string>>(texts.get("links.csv") ?? "", { bom: true, columns: true });
  const first = rows.find((row) => row["id"] === shown.id);
  expect(first).toMatchObject({
    title: `'${hostile.title}`,
    tags: '["+1","日本"]',
    createdAt: new Date(shown.createdAt).toISOString(),
    expiresAt: "",
  });
  expect(linesOf(texts, "utm-templates.jsonl")).toMatchObject([template]);
  expect(linesOf(texts, "webhooks.jsonl")).toMatchObject([{ format: WEBHOOK.format }]);
  expect(linesOf(texts, "notes.jsonl")).toMatchObject([note]);
  expect(linesOf(texts, "members.jsonl")).toMatchObject([{ userId, email, role: "owner" }]);
  expect(linesOf(texts, "audit.jsonl")[0]).toMatchObject({ action: "export.create", targetId: id });

  const columns = ["webhooks.secret", "api_keys.hash", "domains.token", "users.password_hash", "sessions.hash"];
  const ofPages = ["shared_pages.token", "shared_pages.token_hash", "shared_pages.password_hash"];
  const stored = await env.DB.batch<{ secret: string | null }>(
    [...columns, ...ofPages, "links.password_hash"].map((column) =>
      env.DB.prepare(`SELECT ${column} AS secret FROM ${column.split(".")[0]}`),
    ),
  );
  const secrets = stored.flatMap(({ results }) => results.flatMap(({ secret }) => secret ?? []));
  expect(secrets).toHaveLength(9);
  const everything = [...texts.values()].join("\n");
  for (const secret of [...secrets, "whsec_", "share_", key]) expect(everything).not.toContain(secret);
});

async function createLinks(key: string, count: number): Promise<Link[]> {
  const links = Array.from({ length: count }, (_, index) => ({ url: `https://example.com/${index}` }));
  const response = await call("POST", "/api/links/bulk", { key, body: { links } });
  return (await jsonOf<{ results: { link: Link }[] }>(response)).results.map(({ link }) => link);
}
