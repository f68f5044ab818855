import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { findNamedLink } from "../../src/safety/takedowns/named-link.ts";
import type { Link } from "../../src/links/contract.ts";
import type { SlugCheck } from "../../src/links/slugs/contract.ts";
import { MAX_SLUG_CHARS } from "../../src/limits.ts";
import { accountId, BASE_URL, call, createAccount, type ErrorJson, jsonOf, key, startAccount } from "../support/api.ts";
import { freshAddress } from "../support/address.ts";
import { insertDomain } from "../support/domains.ts";
import { runJob, failuresOf, undoJob } from "./bulk-jobs/support.ts";
import { exportFile } from "../moving/exports/file-support.ts";
import { api, createBulk, list, update } from "./support.ts";

/** A domain with nested slugs, and one without. */
const HOST = "go.acme.test";
const PLAIN = "plain.acme.test";
const URL_OK = "https://example.com/";

beforeEach(async () => {
  await startAccount();
  await insertDomain(accountId, HOST, { nested_slugs: 1 });
  await insertDomain(accountId, PLAIN);
});

const create = (slug: string, domain: string | undefined = HOST, fields: object = {}) =>
  api(key, "POST", "/api/links", { url: URL_OK, slug, domain, ...fields });

/** What a request is answered for a nested slug where there are none. */
const OFF = {
  status: 400,
  code: "invalid_request",
  details: [{ path: "slug", code: "nested_slugs_off" }],
};

const setOption = (domain: string, isOn: 0 | 1) =>
  env.DB.prepare("UPDATE domains SET nested_slugs = ?1 WHERE domain = ?2").bind(isOn, domain).run();

describe("a nested slug", () => {
  it.each([
    "docs/setup",
    "a/b/c/d/e/f",
    "Docs/Set-up_2",
    "api/links",
    "app/x",
    "visits",
    "cdn-cgi",
    `${"x/".repeat(31)}xy`,
  ])("can be %s at a domain with the option, and nowhere else", async (slug) => {
    expect(await create(slug)).toMatchObject({
      status: 201,
      link: { slug, domain: HOST, shortUrl: `https://${HOST}/${slug}` },
    });
    if (!slug.includes("/")) return;
    for (const domain of [PLAIN, "tern.test"]) expect(await create(slug, domain)).toMatchObject(OFF);
    expect(await api(key, "POST", "/api/links", { url: URL_OK, slug })).toMatchObject(OFF);
  });

  it.each([
    "/docs",
    "docs/",
    "docs//a",
    "/",
    "docs/a b",
    "docs/ä",
    "docs/a.b",
    "docs\\a",
    "../a",
    "x/".repeat(32) + "x",
  ])("cannot be %j", async (slug) => {
    expect(await create(slug)).toMatchObject({
      status: 400,
      details: [{ path: "slug", code: "wrong_slug", max: MAX_SLUG_CHARS }],
    });
  });

  it.each(["visits/own", "Visits/x", "visits/own/x", "cdn-cgi/trace", "apple-app-site-association/x"])(
    "cannot be %s, which no link could have",
    async (slug) => {
      const refused = { status: 400, details: [{ path: "slug", code: "reserved" }] };
      expect(await create(slug)).toMatchObject(refused);
      const { link } = await create("plain");
      expect(await update(key, link.id, { slug })).toMatchObject(refused);
    },
  );

  it("needs a domain that is verified for the account", async () => {
    const other = await createAccount();
    await insertDomain(other.accountId, "theirs.acme.test", { nested_slugs: 1 });
    await insertDomain(accountId, "pending.acme.test", { nested_slugs: 1, status: "pending" });
    for (const domain of ["theirs.acme.test", "pending.acme.test", "nobodys.acme.test"])
      expect(await create("docs/setup", domain)).toMatchObject({ status: 403 });
  });

  it("is the same in either case, is taken once, and is found by its short URL and as a filter", async () => {
    const { link } = await create("Docs/Setup");
    expect(await create("docs/SETUP")).toMatchObject({ status: 409 });
    for (const url of [`${HOST}/docs/setup`, `https://${HOST}/Docs%2Fsetup/`, `${HOST}/docs/setup+`]) {
      const found = await api(key, "GET", `/api/links/by-url?url=${encodeURIComponent(url)}`);
      expect(found.link).toEqual(link);
    }
    for (const query of ["?slug=docs/setup", "?slug=docs%2Fsetup", "?search=docs/set"])
      expect((await list(key, query)).links.map(({ id }) => id)).toEqual([link.id]);
    expect(await findNamedLink(env, `${HOST}/docs/setup`, BASE_URL)).toMatchObject({ id: link.id });
    const missing = await api(key, "GET", "/api/links/docs%2Fsetup");
    expect(missing).toMatchObject({ status: 404, details: [{ code: "not_a_link_id" }] });
  });

  it("is no slug of an anonymous link", async () => {
    const shorten = async () => {
      const options = { body: { url: URL_OK, slug: "docs/setup" }, address: freshAddress() };
      return (await call("POST", "/api/shorten", options)).status;
    };
    expect(await shorten()).toBe(400);
    const settings = env as { ANONYMOUS_HOST: string };
    settings.ANONYMOUS_HOST = "short.example.net";
    onTestFinished(() => {
      settings.ANONYMOUS_HOST = "";
    });
    expect(await shorten()).toBe(400);
  });

  it("is that of the file names of QR codes, with dots", async () => {
    const { link } = await create("docs/setup");
    const response = await call("GET", `/api/links/${link.id}/qr?format=svg&download=true`, { key });
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="docs.setup.svg"');
  });

  it("is exported as it is", async () => {
    await create("docs/setup");
    const { text } = await exportFile({ key }, { kind: "links", format: "csv" });
    expect(text).toContain(`https://${HOST}/docs/setup`);
    const codes = await exportFile({ key }, { kind: "qr", format: "svg" });
    expect(codes.text).toContain(`${HOST}-docs.setup.svg`);
  });
});

describe("an update", () => {
  it("gives links nested slugs where they can have them, with nested aliases", async () => {
    const { link } = await create("docs");
    expect(await update(key, link.id, { slug: "docs/a" })).toMatchObject({ status: 200, link: { aliases: ["docs"] } });
    expect(await update(key, link.id, { slug: "docs/b" })).toMatchObject({
      status: 200,
      link: { slug: "docs/b", aliases: ["docs", "docs/a"] },
    });
    expect(await update(key, link.id, { aliases: ["docs/a"], slug: "c" })).toMatchObject({
      link: { aliases: ["docs/a"] },
    });
    const plain = await create("docs", PLAIN);
    expect(await update(key, plain.link.id, { slug: "docs/a" })).toMatchObject(OFF);
    const own = await create("guide", "tern.test");
    expect(await update(key, own.link.id, { slug: "docs/a" })).toMatchObject(OFF);
    expect(await update(key, own.link.id, { slug: "docs/c", domain: PLAIN })).toMatchObject(OFF);
    expect(await update(key, own.link.id, { slug: "docs/c", domain: HOST, aliases: [] })).toMatchObject({
      status: 200,
    });
  });

  it("moves no nested slug to a domain without the option", async () => {
    const [nested, other] = [await create("a/b"), await create("c/d")];
    for (const domain of [PLAIN, "tern.test"]) expect(await update(key, nested.link.id, { domain })).toMatchObject(OFF);
    expect(await update(key, nested.link.id, { domain: PLAIN, slug: "b", aliases: [] })).toMatchObject({ status: 200 });
    // Other settings of a link with a nested slug change as ever.
    expect(await update(key, other.link.id, { title: "Setup", domain: HOST })).toMatchObject({ status: 200 });
  });

  it("of a job moves those that can have the domain, and back", async () => {
    await insertDomain(accountId, "three.acme.test", { nested_slugs: 1 });
    const [nested, plain] = [(await create("a/b")).link, (await create("e")).link];
    const ids = [nested.id, plain.id];
    const job = await runJob(key, { ids, changes: { domain: PLAIN } });
    expect(job).toMatchObject({ status: "done", failed: 1 });
    expect(await failuresOf(key, job.id)).toEqual([`${nested.id},nested_slugs_off`]);
    const second = await runJob(key, { ids, changes: { domain: "three.acme.test" } });
    expect(await failuresOf(key, second.id)).toEqual([]);
    await setOption(HOST, 0);
    await undoJob(key, second.id);
    expect((await list(key, "?slug=a/b")).links).toMatchObject([{ domain: "three.acme.test" }]);
  });

  it("or a creation by PUT has the same rule", async () => {
    const put = (body: object) => api(key, "PUT", "/api/links/upsert", { url: URL_OK, ...body });
    expect(await put({ slug: "a/b", domain: HOST })).toMatchObject({ status: 201 });
    expect(await put({ slug: "A/B", domain: HOST, title: "Two" })).toMatchObject({
      status: 200,
      link: { slug: "A/B" },
    });
    for (const domain of [PLAIN, "tern.test"]) expect(await put({ slug: "a/b", domain })).toMatchObject(OFF);
    expect(await put({ externalId: "x", slug: "n", domain: PLAIN })).toMatchObject({ status: 201 });
    expect(await put({ externalId: "x", slug: "n/m", domain: PLAIN })).toMatchObject(OFF);
  });
});

it("refuses only those of several new links that cannot be stored", async () => {
  const { results } = await createBulk(key, [
    { url: URL_OK, slug: "a/b", domain: HOST },
    { url: URL_OK, slug: "a/b", domain: PLAIN },
    { url: URL_OK, slug: "a/c" },
    { url: URL_OK, slug: "visits/own", domain: HOST },
    { url: URL_OK, slug: "a", domain: PLAIN },
  ]);
  expect(results).toMatchObject([
    { link: { slug: "a/b" } },
    { details: OFF.details },
    { details: OFF.details },
    { details: [{ code: "reserved" }] },
    { link: { slug: "a" } },
  ]);
});

describe("the check of a slug", () => {
  async function check(slug: string, domain: string) {
    const response = await call("GET", `/api/slugs/${encodeURIComponent(slug)}?domain=${domain}`, { key });
    return { status: response.status, ...(await jsonOf<{ slug: SlugCheck } & ErrorJson>(response)) };
  }

  it("takes a nested one, percent-encoded", async () => {
    expect(await check("docs/setup", HOST)).toMatchObject({
      status: 200,
      slug: { slug: "docs/setup", available: true },
    });
    const { link } = await create("docs/setup");
    const taken = await check("Docs/Setup", HOST);
    expect(taken.slug).toMatchObject({ reason: "own", linkId: link.id, suggestion: "Docs/Setup-2" });
    expect(await create(taken.slug.suggestion ?? "")).toMatchObject({ status: 201 });
    expect((await check("visits/own", HOST)).slug).toMatchObject({ reason: "reserved", suggestion: null });
  });

  it("refuses it at a domain without the option", async () => {
    for (const domain of [PLAIN, "tern.test"]) expect(await check("docs/setup", domain)).toMatchObject(OFF);
  });
});

describe("a deleted link with a nested slug", () => {
  it("comes back where it can have it, and else says what to do", async () => {
    const links = await Promise.all(["a/b", "c"].map(async (slug) => (await create(slug)).link));
    await update(key, (links[1] as Link).id, { slug: "c/d" });
    await update(key, (links[1] as Link).id, { slug: "c" });
    for (const { id } of links) await api(key, "DELETE", `/api/links/${id}`);
    // As after the domain was deleted and added again.
    await setOption(HOST, 0);
    for (const { id } of links) expect(await api(key, "POST", `/api/links/${id}/restore`)).toMatchObject(OFF);
    expect((await list(key)).links).toEqual([]);
    await setOption(HOST, 1);
    for (const { id } of links)
      expect(await api(key, "POST", `/api/links/${id}/restore`)).toMatchObject({ status: 200 });
    expect((await list(key, "?slug=a/b")).links).toMatchObject([{ id: links[0]?.id }]);
  });
});
