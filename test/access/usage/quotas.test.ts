import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { addKey, call, createAccount, jsonOf, runCron, type ErrorJson } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { changeTag } from "../../links/tags/support.ts";
import { LINK_OVERHEAD_BYTES } from "../../../src/links/limits.ts";

interface Answer extends ErrorJson {
  link: Link;
  results: ({ link?: Link } & Partial<ErrorJson>)[];
  job?: { id: string };
  usage: Record<string, { used: number; limit: number }>;
}

const URL_OK = "https://example.com/";
const DAY_MS = 86_400_000;
/** The bytes of a link with {@link URL_OK} and a slug of one character. */
const SMALL_LINK = LINK_OVERHEAD_BYTES + URL_OK.length + 1;
let account: Awaited<ReturnType<typeof createAccount>>;
beforeEach(async () => void (account = await createAccount()));

async function api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await call(method, path, { key: account.key, body, headers });
  return { status: response.status, ...(await jsonOf<Answer>(response)) };
}
const create = (fields: object = {}) => api("POST", "/api/links", { url: URL_OK, ...fields });
const usage = async () => (await api("GET", "/api/usage")).usage;

async function setQuota(column: "max_links" | "max_link_bytes", value: number): Promise<void> {
  const sql = `UPDATE account_usage SET ${column} = ?2 WHERE account_id = ?1`;
  await env.DB.prepare(sql).bind(account.accountId, value).run();
}

const LINKS_REFUSAL = {
  status: 403,
  code: "quota_exceeded",
  details: [{ path: "", code: "too_many_links", max: 5 }],
};

describe("GET /api/usage", () => {
  it("shows the usage and the limits to any key of the account", async () => {
    expect(await usage()).toEqual({
      links: { used: 0, limit: 1_000_000 },
      linkBytes: { used: 0, limit: 1_073_741_824 },
      keys: { used: 1, limit: 5 },
      domains: { used: 0, limit: 100 },
      webhooks: { used: 0, limit: 10 },
      utmTemplates: { used: 0, limit: 100 },
    });
    await setQuota("max_links", 7);
    expect((await create({ slug: "a", title: "é🦆" })).status).toBe(201);
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.click"] });
    await api("POST", "/api/domains/add", { domain: "go.example.org" });
    const { key } = await addKey(account.accountId, ["webhooks:read"]);
    const other = await jsonOf<Answer>(await call("GET", "/api/usage", { key }));
    expect(other.usage).toMatchObject({
      links: { used: 1, limit: 7 },
      linkBytes: { used: SMALL_LINK + 2 + 4 },
      keys: { used: 2 },
      domains: { used: 1 },
      webhooks: { used: 1 },
    });
  });
});

describe("the quota of links", () => {
  it("is not exceeded by 40 parallel requests, not by one link", async () => {
    await setQuota("max_links", 5);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => create({ slug: `s${n}` })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(35);
    for (const answer of refused) expect(answer).toMatchObject(LINKS_REFUSAL);
    expect((await usage())["links"]).toEqual({ used: 5, limit: 5 });
    expect((await env.DB.prepare("SELECT count(*) AS n FROM links").first("n")) === 5).toBe(true);
  });

  it("counts exactly if the response of the database is lost and a slug is free when the links are sent again", async () => {
    await create({ slug: "taken" });
    let sent = 0;
    await interceptD1(
      async (sql, send) => {
        const output = await send();
        if (!String(sql).includes("INSERT INTO links") || sent++ > 0) return output;
        await env.DB.prepare("DELETE FROM links WHERE slug = 'taken'").run();
        throw new Error("D1_ERROR: Network connection lost.");
      },
      async () => {
        const links = ["a", "taken", "b"].map((slug) => ({ url: URL_OK, slug }));
        const { results } = await api("POST", "/api/links/bulk", { links });
        expect(results.map(({ link }) => link?.slug)).toEqual(["a", "taken", "b"]);
      },
    );
    expect(sent).toBe(2);
    // The link that was deleted without the API still counts.
    expect((await usage())["links"]?.used).toBe(4);
    expect((await usage())["linkBytes"]?.used).toBe(2 * (SMALL_LINK + "taken".length - 1) + 2 * SMALL_LINK);
  });

  it("refuses a bulk request's links without room together; those refused for another reason take none", async () => {
    await setQuota("max_links", 4);
    await create({ slug: "taken" });
    const links = ["a", "taken", "b", "A", "c", "d"].map((slug) => ({ url: URL_OK, slug }));
    const codesOf = ({ results }: Answer) => results.map(({ code = "created" }) => code);
    const send = (key: string) => api("POST", "/api/links/bulk", { links }, { "Idempotency-Key": key });
    const [none, all] = ["quota_exceeded", "created"].map((code) => [code, "conflict", code, code, code, code]);
    const first = await send("refused");
    expect(codesOf(first)).toEqual(none);
    // The repetition returns the first response, also when there is room, and counts nothing.
    await setQuota("max_links", 5);
    expect((await send("refused")).results).toEqual(first.results);
    expect((await usage())["links"]?.used).toBe(1);
    expect(codesOf(await send("new"))).toEqual(all?.with(3, "conflict"));
    expect((await usage())["links"]).toEqual({ used: 5, limit: 5 });
  });

  it("counts no deleted link, and a restore needs room", async () => {
    await setQuota("max_links", 5);
    const links = await Promise.all(Array.from({ length: 5 }, () => create()));
    const id = links[0]?.link.id ?? "";
    expect(await api("PUT", "/api/links/upsert", { url: URL_OK, slug: "new" })).toMatchObject(LINKS_REFUSAL);
    expect(await api("POST", "/api/shorten", { url: URL_OK })).toMatchObject(LINKS_REFUSAL);
    await api("DELETE", `/api/links/${id}`);
    expect((await create({ slug: "last" })).status).toBe(201);
    expect(await api("POST", `/api/links/${id}/restore`)).toMatchObject(LINKS_REFUSAL);
    await api("DELETE", `/api/links/${links[1]?.link.id}`);
    expect((await api("POST", `/api/links/${id}/restore`)).status).toBe(200);
    expect((await usage())["links"]?.used).toBe(5);
  });
});

describe("the quota of bytes", () => {
  it("refuses what makes a link larger, and nothing that makes it smaller or leaves its size", async () => {
    const { link } = await create({ slug: "a", title: "abc" });
    const other = (await create({ slug: "b" })).link;
    await setQuota("max_link_bytes", SMALL_LINK);
    const path = `/api/links/${link.id}`;
    expect(await api("PATCH", path, { title: "abcd" })).toMatchObject({
      status: 403,
      code: "quota_exceeded",
      details: [{ path: "", code: "too_many_link_bytes", max: SMALL_LINK, days: 7 }],
    });
    for (const changes of [{ title: "xyz" }, { disabled: true, archived: true }, { title: "é", slug: "a" }])
      expect((await api("PATCH", path, changes)).status).toBe(200);
    const ids = [link.id, other.id];
    const { results } = await api("PATCH", "/api/links/bulk", { ids, changes: { title: "yz" } });
    expect(results.map(({ code = "changed" }) => code)).toEqual(["quota_exceeded", "quota_exceeded"]);
    expect(
      (await api("PATCH", "/api/links/bulk", { ids, changes: { title: null } })).results[0]?.link?.title,
    ).toBeNull();
    expect(await create({ slug: "c" })).toMatchObject({ status: 403, code: "quota_exceeded" });
    const deepLinks = await api("PATCH", `/api/deep-links/links/${other.id}`, { ios: "acme://x" });
    expect(deepLinks).toMatchObject({ status: 403, code: "quota_exceeded" });
  });

  it("refuses to rename a tag to a longer one for all links, before the job begins", async () => {
    for (const slug of ["a", "b"]) await create({ slug, tags: ["tag"] });
    const { used = 0 } = (await usage())["linkBytes"] ?? {};
    await setQuota("max_link_bytes", used + 1);
    const rename = (name: string) => api("PATCH", "/api/tags/tag", { name });
    expect(await rename("tags")).toMatchObject({ status: 403, code: "quota_exceeded" });
    await setQuota("max_link_bytes", used + 2);
    const renamed = await changeTag(account.key, () => rename("tags"));
    expect(renamed.status).toBe(202);
    expect((await usage())["linkBytes"]?.used).toBe(used + 2);
  });

  it("counts deleted links until their final deletion, so creating and deleting in a loop has an end", async () => {
    await setQuota("max_link_bytes", 2 * SMALL_LINK);
    for (const slug of ["a", "b"]) {
      const { link } = await create({ slug });
      await api("DELETE", `/api/links/${link.id}`);
    }
    expect(await create({ slug: "c" })).toMatchObject({ status: 403, code: "quota_exceeded" });
    await runCron(Date.now() + 8 * DAY_MS);
    expect((await usage())["linkBytes"]?.used).toBe(0);
    expect((await create({ slug: "c" })).status).toBe(201);
  });
});

it("a request that adds nothing writes nothing, and one with 100 links writes one row of usage", async () => {
  const links = Array.from({ length: 100 }, (_, n) => ({ url: URL_OK, slug: `s${n}` }));
  await api("GET", "/api/usage");
  const measured = [];
  for (let repetition = 0; repetition < 2; repetition++)
    measured.push(await measureD1(() => api("POST", "/api/links/bulk", { links })));
  const [first, second] = measured.map(({ statements }) =>
    statements.filter((sql) => sql.startsWith("INSERT INTO account_usage")),
  );
  expect([first?.length, second?.length]).toEqual([2, 2]);
  // Eight of each link, one of the usage, and the key's last use.
  expect(measured[0]?.rowsWritten).toBeLessThanOrEqual(100 * 8 + 1 + 1);
  // A key's last use is written once a minute.
  expect(measured[1]?.rowsWritten).toBeLessThanOrEqual(1);
});
