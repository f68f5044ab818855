import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { handOver, insertDomain } from "../support/domains.ts";
import { accountId, key, startService } from "../webhooks/support.ts";
import { api, change, interleave, listen, storedEvents } from "./races-support.ts";
import { DOMAIN, URL_OK } from "./support.ts";

// Another request changes what a creation depends on, after the creation is decided and before it is written.

let theirs: { key: string; accountId: number };

beforeEach(async () => {
  await startService();
  theirs = await createAccount();
  await listen(key, ["link.create"]);
});

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

const create = (fields: object, by = key) => api(by, "POST", "/api/links", { url: URL_OK, ...fields });

/** The links of both accounts, and what is counted and told of those of the first. */
async function state() {
  const { results } = await env.DB.prepare("SELECT slug, case_sensitive, verdict FROM links ORDER BY seq").all();
  const counted = await env.DB.prepare("SELECT links FROM account_usage WHERE account_id = ?1").bind(accountId).first();
  return { links: results, counted: counted?.["links"], events: (await storedEvents()).length };
}

const NOTHING = { links: [], counted: 0, events: 0 };

describe("a creation at a domain", () => {
  it.each([
    ["is deleted", () => sql("DELETE FROM domains WHERE domain = ?1", DOMAIN)],
    ["is no longer verified", () => sql("UPDATE domains SET status = 'pending' WHERE domain = ?1", DOMAIN)],
    ["is verified by another account", () => handOver(DOMAIN, theirs.accountId)],
  ])("is refused if the domain %s", async (_, lose) => {
    await insertDomain(accountId, DOMAIN);
    const { answer, writes } = await interleave(lose, () => create({ domain: DOMAIN, slug: "here" }));
    expect(answer).toMatchObject({ status: 403, details: [{ code: "domain_refused" }] });
    expect(writes).toHaveLength(1);
    expect(await state()).toEqual(NOTHING);
  });

  it.each([0, 1] as const)("has the new case rule of the domain, before %i", async (before) => {
    await insertDomain(accountId, DOMAIN, { case_sensitive: before });
    const { answer, writes } = await interleave(
      () => sql("UPDATE domains SET case_sensitive = ?1", 1 - before),
      () => create({ domain: DOMAIN, slug: "Here" }),
    );
    expect(answer).toMatchObject({ status: 201, link: { slug: "Here" } });
    expect(writes).toHaveLength(1);
    expect(await state()).toMatchObject({
      links: [{ slug: "Here", case_sensitive: 1 - before }],
      counted: 1,
      events: 1,
    });
    expect(await storedEvents()).toMatchObject([{ data: answer.link }]);
  });

  it("gets no nested slug if they are off by then", async () => {
    await insertDomain(accountId, DOMAIN, { nested_slugs: 1 });
    const { answer } = await interleave(
      () => sql("UPDATE domains SET nested_slugs = 0"),
      () => create({ domain: DOMAIN, slug: "a/b" }),
    );
    expect(answer).toMatchObject({ status: 400, details: [{ path: "slug", code: "nested_slugs_off" }] });
    expect(await state()).toEqual(NOTHING);
  });

  it("replaces a link of the previous owner that has got the slug", async () => {
    await insertDomain(theirs.accountId, DOMAIN);
    const former = await create({ domain: DOMAIN, slug: "former" }, theirs.key);
    await handOver(DOMAIN, accountId);
    const { answer, writes } = await interleave(
      () => sql("UPDATE links SET slug = 'here' WHERE id = ?1", former.link.id),
      () => create({ domain: DOMAIN, slug: "here" }),
    );
    expect(answer).toMatchObject({ status: 201 });
    expect(writes).toHaveLength(2);
    expect(await state()).toMatchObject({ links: [{ slug: "here" }], counted: 1, events: 1 });
    expect((await env.DB.prepare("SELECT id FROM links").first())?.["id"]).toBe(answer.link.id);
  });
});

describe("a slug that another request takes", () => {
  it.each([
    ["as the slug of a link", () => create({ slug: "printed" }, theirs.key)],
    [
      "as an alias",
      async () => {
        const { link } = await create({ slug: "printed" }, theirs.key);
        expect((await change(theirs.key, link.id, { slug: "another" })).status).toBe(200);
      },
    ],
    [
      "as the slug of a deleted link",
      async () => {
        const { link } = await create({ slug: "printed" }, theirs.key);
        expect((await api(theirs.key, "DELETE", `/api/links/${link.id}`)).status).toBe(200);
      },
    ],
  ])("%s is taken", async (_, take) => {
    const { answer, writes } = await interleave(take, () => create({ slug: "Printed" }));
    expect(answer).toMatchObject({ status: 409, details: [{ path: "slug", code: "taken", value: "Printed" }] });
    expect(writes).toHaveLength(1);
    expect(await state()).toMatchObject({ counted: 0, events: 0 });
  });

  it("and gives back is the account's", async () => {
    const { answer } = await interleave(
      async () => {
        const { link } = await create({ slug: "back" });
        expect((await api(key, "DELETE", `/api/links/${link.id}`)).status).toBe(200);
      },
      () => create({ slug: "back" }),
    );
    expect(answer).toMatchObject({ status: 201 });
  });
});

it("refuses a destination whose host is verified by then", async () => {
  const { answer, writes } = await interleave(
    () => insertDomain(theirs.accountId, "dest.example"),
    () => create({ expiredUrl: "https://dest.example/x" }),
  );
  expect(answer).toMatchObject({ status: 400, details: [{ path: "expiredUrl", code: "leads_to_domain" }] });
  expect(writes).toHaveLength(1);
  expect(await state()).toEqual(NOTHING);
});

it("refuses an externalId that another link has by then", async () => {
  const { answer } = await interleave(
    () => create({ externalId: "e" }),
    () => create({ externalId: "e", slug: "second" }),
  );
  expect(answer).toMatchObject({ status: 409, details: [{ path: "externalId", code: "taken", value: "e" }] });
  expect(await state()).toMatchObject({ counted: 1, events: 1 });
});

it.each([
  [null, 0, "pending"],
  [0, null, "allowed"],
] as const)("has the trust of the account at the write: before %s, then %s", async (before, after, verdict) => {
  const trust = (at: number | null) => sql("UPDATE accounts SET trust_at = ?1 WHERE id = ?2", at, accountId);
  await trust(before);
  const headers = { "Idempotency-Key": "k" };
  const body = { url: URL_OK };
  const { answer, writes } = await interleave(
    () => trust(after),
    () => api(key, "POST", "/api/links", body, headers),
  );
  expect(answer).toMatchObject({ status: 201, link: { verdict: { state: verdict } } });
  expect(writes).toHaveLength(2);
  expect(await api(key, "POST", "/api/links", body, headers)).toEqual(answer);
  expect(await storedEvents()).toMatchObject([{ event: "link.create", data: answer.link }]);
  expect(await state()).toMatchObject({ counted: 1, events: 1 });
});

it("writes once for an account whose trust has not changed", async () => {
  await sql("UPDATE accounts SET trust_at = 0 WHERE id = ?1", accountId);
  const { answer, writes } = await interleave(
    async () => {},
    () => create({}),
  );
  expect(answer).toMatchObject({ status: 201, link: { verdict: { state: "pending" } } });
  expect(writes).toHaveLength(1);
});

it("answers a repeated request with the link of the first, although its slug is taken by that", async () => {
  const headers = { "Idempotency-Key": "k" };
  const send = () => api(key, "POST", "/api/links", { url: URL_OK, slug: "once" }, headers);
  let first: unknown;
  const { answer } = await interleave(async () => (first = await send()), send);
  expect(answer).toEqual(first);
  expect(await state()).toMatchObject({ links: [{ slug: "once" }], counted: 1, events: 1 });
});

it("stores of a bulk call what nothing is in the way of", async () => {
  const links = ["a", "b", "c"].map((slug) => ({ url: URL_OK, slug }));
  const { answer, writes } = await interleave(
    () => create({ slug: "b" }, theirs.key),
    () => api(key, "POST", "/api/links/bulk", { links }),
  );
  expect(answer.results.map(({ link, code }) => code ?? link.slug)).toEqual(["a", "conflict", "c"]);
  expect(writes).toHaveLength(1);
  expect(await state()).toMatchObject({ counted: 2, events: 2 });
});

it.each([
  ["the domain is verified by another account", DOMAIN, () => handOver(DOMAIN, theirs.accountId)],
  ["the account loses its trust", "", () => sql("UPDATE accounts SET trust_at = 0 WHERE id = ?1", accountId)],
])("answers with the stored link if the answer of the database is lost and then %s", async (_, domain, change) => {
  await insertDomain(accountId, DOMAIN);
  let writes = 0;
  let answer: unknown;
  await interceptD1(
    async (text, send) => {
      if (!statementsOf(text).some((statement) => statement.startsWith("INSERT INTO links ")) || writes++ > 0)
        return send();
      await send();
      await change();
      throw new Error("D1_ERROR: Network connection lost.");
    },
    async () => void (answer = await create({ ...(domain !== "" && { domain }), slug: "here" })),
  );
  expect(writes).toBe(2);
  expect(answer).toMatchObject({ status: 201, link: { slug: "here", verdict: { state: "allowed" } } });
  expect(await state()).toMatchObject({ links: [{ slug: "here" }], counted: 1, events: 1 });
  expect(await storedEvents()).toMatchObject([{ data: (answer as { link: object }).link }]);
});
