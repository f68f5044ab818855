import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { call, takeSentVisits } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { pngOf } from "../support/qr.ts";
import { scan } from "../support/scanner.ts";
import { DOMAIN, twoAccounts, URL_OK } from "./support.ts";

const { mine, theirs, api, create } = twoAccounts();

describe("a link at a custom domain", () => {
  it.each(["go.example", "GO.Example", "go.example.", "https://go.example/", " http://GO.example "])(
    "is created if the domain is written as %s",
    async (domain) => {
      const { status, link } = await create({ domain, slug: "Spring" });
      expect(status).toBe(201);
      expect(link).toMatchObject({ domain: DOMAIN, shortUrl: "https://go.example/Spring" });
      expect((await call("GET", "https://go.example/spring")).headers.get("Location")).toBe(URL_OK);
      expect((await call("GET", "/spring")).status).toBe(404);
      expect(await api("GET", `/api/links/${link.id}`)).toMatchObject({ link });
    },
  );

  it("can have an international name, in Unicode or Punycode", async () => {
    await insertDomain(mine.accountId, "xn--bcher-kva.example");
    for (const domain of ["bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "XN--BCHER-KVA.example"]) {
      expect((await create({ domain })).link.domain).toBe("xn--bcher-kva.example");
    }
  });

  it.each(["tern.test", "https://tern.test/", "TERN.test.", "ｔｅｒｎ.test"])(
    "is a link at the service's own domain if that is written as %s",
    async (domain) => {
      expect((await create({ domain })).link).toMatchObject({ domain: "tern.test" });
    },
  );

  it("cannot have the slug of the app association file", async () => {
    const refused = { status: 400, details: [{ path: "slug" }] };
    const slug = "Apple-App-Site-Association";
    expect(await create({ slug, domain: DOMAIN })).toMatchObject(refused);
    const { link } = await create({ domain: DOMAIN });
    expect(await api("PATCH", `/api/links/${link.id}`, { slug })).toMatchObject(refused);
    expect(await api("PUT", "/api/links/upsert", { url: URL_OK, slug, domain: DOMAIN })).toMatchObject(refused);
  });

  it("can have the slug of a link at the service's own domain, and a slug that is reserved there", async () => {
    await create({ slug: "same" });
    expect((await create({ slug: "same", domain: DOMAIN })).status).toBe(201);
    expect((await create({ slug: "SAME", domain: DOMAIN })).status).toBe(409);
    const { link } = await create({ slug: "api", domain: DOMAIN });
    expect(link.shortUrl).toBe("https://go.example/api");
    expect((await api("PATCH", `/api/links/${link.id}`, { slug: "docs" })).link.slug).toBe("docs");
    expect((await create({ slug: "api", domain: "tern.test" })).status).toBe(400);
    const own = await create({});
    expect(await api("PATCH", `/api/links/${own.link.id}`, { slug: "docs", title: "x" })).toMatchObject({
      status: 400,
      details: [{ path: "slug" }],
    });
    expect((await api("GET", `/api/links/${own.link.id}`)).link).toEqual(own.link);
  });

  it.each(["go.example/path", "https://go.example/path", "https://ann@go.example/"])(
    "is refused at %s with the name of the host to give",
    async (domain) => {
      expect((await api("POST", "/api/links", { url: URL_OK, domain })).details).toMatchObject([
        { code: "domain_refused", value: domain, suggestion: "go.example" },
      ]);
    },
  );

  it.each([
    ["another account's domain", "theirs.example"],
    ["a domain that is not verified yet", "pending.example"],
    ["a domain of no account", "nobody.example"],
    ["a domain with a path", "go.example/path"],
    ["a domain with a port", "go.example:443"],
    ["a domain with a user", "a@go.example"],
    ["a dot", "."],
    ["a subdomain", "x.go.example"],
  ])("is refused at %s", async (_, domain) => {
    await insertDomain(theirs.accountId, "theirs.example");
    await insertDomain(mine.accountId, "pending.example", { status: "pending" });
    await insertDomain(theirs.accountId, "pending.example");
    const refusal = { code: "forbidden", details: [{ code: "domain_refused", value: domain }] };
    expect(await create({ domain })).toMatchObject({ status: 403, ...refusal });
    expect(await api("PUT", "/api/links/upsert", { url: URL_OK, slug: "a", domain })).toMatchObject({
      status: 403,
      ...refusal,
    });
    const { link } = await create({});
    expect(await api("PATCH", `/api/links/${link.id}`, { domain, title: "x" })).toMatchObject({
      status: 403,
      ...refusal,
    });
    const bulk = await api("POST", "/api/links/bulk", {
      links: [
        { url: URL_OK, domain },
        { url: URL_OK, domain: DOMAIN },
      ],
    });
    expect(bulk.results).toMatchObject([refusal, { link: { domain: DOMAIN } }]);
    expect((await api("GET", "/api/links")).links).toEqual([bulk.results[1]?.link, link]);
  });

  it("is found by the filters of the list", async () => {
    const { link } = await create({ domain: DOMAIN, title: "needle" });
    await create({ title: "needle" });
    for (const query of ["domain=GO.example", "domain=go.example&search=needle", "domain=go.example.&status=active"]) {
      expect((await api("GET", `/api/links?${query}`)).links).toEqual([link]);
    }
    expect((await api("GET", "/api/links?domain=other.example")).links).toEqual([]);
    expect((await api("GET", "/api/links?domain=.")).links).toEqual([]);
    expect((await api("GET", "/api/links?domain=tern.test")).links).toHaveLength(1);
  });

  it("has its domain in its QR code, its events and its clicks", async () => {
    const hook = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.update", "link.delete"] };
    await api("POST", "/api/webhooks", hook);
    const { link } = await create({ domain: DOMAIN, slug: "qr" });
    const code = await call("GET", `/api/links/${link.id}/qr?format=png`, { key: mine.key });
    expect(scan((await pngOf(code)).pixels)).toBe("https://go.example/qr?qr=1");
    await call("GET", "https://go.example/qr?qr=1");
    expect(takeSentVisits().map(([, linkId]) => linkId)).toContain(link.id);
    const changed = await api("PATCH", `/api/links/${link.id}`, { title: "x" });
    await api("DELETE", `/api/links/${link.id}`);
    const { results } = await env.DB.prepare("SELECT body FROM deliveries ORDER BY event_id").all<{ body: string }>();
    const data = results.map(({ body }) => (JSON.parse(body) as { data: Link }).data);
    expect(data).toEqual([link, changed.link, changed.link]);
  });

  it("takes one statement more than another link, which reads the domain", async () => {
    // lastUsedAt is stored once a minute.
    vi.useFakeTimers({ toFake: ["Date"] });
    // The first link of an account reads a row less: there is none before it in the limit of created links.
    await create({});
    const own = await measureD1(() => create({ slug: "a" }));
    const custom = await measureD1(() => create({ slug: "a", domain: DOMAIN }));
    const statements = (cost: typeof own) => cost.statements.filter((sql) => !sql.includes("api_keys")).length;
    expect([statements(own), statements(custom)]).toEqual([7, 8]);
    // Neither the links of a previous owner nor the holders of the slug are read in a statement of their own.
    expect(own.statements.join()).not.toContain("links l INDEXED BY links_by_slug");
    expect(custom.roundTrips).toBe(own.roundTrips + 1);
    expect(custom.rowsRead - own.rowsRead).toBeLessThanOrEqual(6);
  });
});

describe("moving a link to another domain", () => {
  it("takes effect at the old and the new short URL at once", async () => {
    const { link } = await create({ slug: "move" });
    await call("GET", "/move");
    const moved = await api("PATCH", `/api/links/${link.id}`, { domain: "GO.example" });
    expect(moved.link).toEqual({
      ...link,
      domain: DOMAIN,
      shortUrl: "https://go.example/move",
      updatedAt: expect.any(Number),
    });
    expect((await call("GET", "/move")).status).toBe(404);
    expect((await call("GET", "https://go.example/move")).status).toBe(302);
    await api("PATCH", `/api/links/${link.id}`, { domain: "tern.test", slug: "back" });
    expect((await call("GET", "/back")).status).toBe(302);
    expect((await call("GET", "https://go.example/move")).status).toBe(404);
  });

  it("is refused without an event if the slug is taken or reserved there", async () => {
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.update"] });
    await create({ slug: "both" });
    const { link } = await create({ slug: "both", domain: DOMAIN });
    const word = await create({ slug: "docs", domain: DOMAIN });
    expect(await api("PATCH", `/api/links/${link.id}`, { domain: "tern.test" })).toMatchObject({
      status: 409,
      details: [{ path: "slug", code: "taken", value: "both" }],
    });
    expect(await api("PATCH", `/api/links/${word.link.id}`, { domain: "tern.test" })).toMatchObject({
      status: 400,
      details: [{ path: "slug" }],
    });
    expect((await api("GET", "/api/links?domain=go.example")).links).toEqual([word.link, link]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(0);
  });
});

describe("a destination at a verified domain", () => {
  const LOOPS: [string, object][] = [
    ["url", { url: "https://theirs.example/x" }],
    ["url", { url: "http://THEIRS.example.:8080/x" }],
    ["url", { url: "https://go.example/" }],
    ["url", { url: "https://bücher.example/" }],
    ["expiredUrl", { expiredUrl: "https://theirs.example/x" }],
    ["ios", { ios: "https://theirs.example/x" }],
    ["android", { android: "https://theirs.example/x" }],
    ["geo.DE", { geo: { FR: URL_OK, DE: "https://theirs.example/x" } }],
    [
      "rules.1.url",
      {
        rules: [
          { countries: ["FR"], url: "https://fr.example/" },
          { countries: ["DE"], url: "https://theirs.example/" },
        ],
      },
    ],
  ];
  beforeEach(async () => {
    await insertDomain(theirs.accountId, "theirs.example");
    await insertDomain(theirs.accountId, "xn--bcher-kva.example");
  });

  it.each(LOOPS)("is refused in %s (%#)", async (path, fields) => {
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.update"] });
    const refusal = { code: "invalid_request", details: [{ path, code: "leads_to_domain" }] };
    expect(await create(fields)).toMatchObject({ status: 400, ...refusal });
    expect(await api("PUT", "/api/links/upsert", { url: URL_OK, slug: "a", ...fields })).toMatchObject({
      status: 400,
      ...refusal,
    });
    const { results } = await api("POST", "/api/links/bulk", { links: [{ url: URL_OK, ...fields }, { url: URL_OK }] });
    expect(results).toMatchObject([refusal, { link: { url: URL_OK } }]);
    const link = results[1]?.link as Link;
    expect(await api("PATCH", `/api/links/${link.id}`, { title: "x", ...fields })).toMatchObject({
      status: 400,
      ...refusal,
    });
    expect(await api("PUT", "/api/links/upsert", { url: URL_OK, slug: link.slug, ...fields })).toMatchObject({
      status: 400,
    });
    const many = await api("PATCH", "/api/links/bulk", { ids: [link.id], changes: { title: "x", ...fields } });
    expect(many).toMatchObject({ status: 400, details: [{ path: `changes.${path}` }] });
    expect((await api("GET", "/api/links")).links).toEqual([link]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(0);
  });

  it("is allowed if the domain is pending, is a subdomain of a verified one, or is only in the query", async () => {
    await insertDomain(theirs.accountId, "pending.example", { status: "pending" });
    for (const url of [
      "https://pending.example/",
      "https://x.go.example/",
      "https://example.com/?u=https://go.example/",
    ]) {
      expect((await create({ url, ios: "go.example://x" })).status).toBe(201);
    }
  });
});
