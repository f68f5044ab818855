import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount, jsonOf } from "../support/api.ts";
import { internet, START, type Service } from "../webhooks/support.ts";
import {
  addDomain,
  addVerified,
  DOMAIN,
  errorOf,
  oneOf,
  proofOf,
  publishProof,
  read,
  startDomains,
  verify,
  type Person,
} from "./support.ts";

let service: Service;
let ann: Person;
let bob: Person;
beforeEach(async () => ({ service, ann, bob } = await startDomains()));

describe("adding a domain", () => {
  it("returns the pending domain with the records to create", async () => {
    const domain = await addDomain(service, ann, " GO.Acme.com. ");
    expect(domain).toEqual({
      id: expect.any(String),
      domain: DOMAIN,
      unicodeDomain: DOMAIN,
      status: "pending",
      caseSensitive: false,
      pathForwarding: false,
      nestedSlugs: false,
      records: [
        {
          type: "TXT",
          name: "_tern-challenge.go.acme.com",
          value: expect.stringMatching(/^tern-verification=[0-9a-f]{32}$/),
          found: null,
        },
        { type: "CNAME", name: DOMAIN, value: "tern.test", found: null },
      ],
      notFoundUrl: null,
      rootUrl: null,
      appleAppSiteAssociation: null,
      assetLinks: null,
      brandName: null,
      brandLogo: null,
      brandColor: null,
      createdAt: START,
      verifiedAt: null,
      lostAt: null,
    });
    expect(await read(service, ann, domain)).toEqual(domain);
  });

  it("treats the Unicode and the Punycode form of a name as the same domain", async () => {
    const domain = await addDomain(service, ann, "Links.Bücher.example.de");
    expect(domain).toMatchObject({
      domain: "links.xn--bcher-kva.example.de",
      unicodeDomain: "links.bücher.example.de",
    });
    const again = await service.call("POST", "/api/domains/add", {
      key: ann.key,
      body: { domain: "links.xn--bcher-kva.example.de" },
    });
    expect(await errorOf(again)).toMatchObject({ status: 409, code: "conflict" });
  });

  it("returns the first response to a repeated request with an Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "once" };
    const add = (domain: string) =>
      service.call("POST", "/api/domains/add", { key: ann.key, body: { domain }, headers });
    const [first, second] = [await add(DOMAIN), await add("GO.acme.com")];
    expect(second.status).toBe(201);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await second.json()).toEqual(await first.json());
    expect((await add("other.acme.com")).status).toBe(409);
  });

  it("adds a domain once under 40 parallel requests and gives each account its own token", async () => {
    const calls = Array.from({ length: 40 }, () =>
      service.call("POST", "/api/domains/add", { key: ann.key, body: { domain: DOMAIN } }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(39);
    const { domains } = await jsonOf<{ domains: Parameters<typeof proofOf>[0][] }>(
      await service.call("GET", "/api/domains", { key: ann.key }),
    );
    const own = proofOf(domains[0] as (typeof domains)[0]);
    const bobs = proofOf(await addDomain(service, bob));
    expect(bobs.name).toBe(own.name);
    expect(bobs.value).not.toBe(own.value);
  });

  it("is refused if the account has a hundred domains", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 99)
       INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
       SELECT 'id' || n, ?1, 'd' || n || '.acme.com', '', 'pending', 0, 0 FROM n`,
    )
      .bind(ann.accountId)
      .run();
    await addDomain(service, ann);
    const response = await service.call("POST", "/api/domains/add", { key: ann.key, body: { domain: "x.acme.com" } });
    expect(await errorOf(response)).toMatchObject({ status: 409, code: "limit_reached" });
    await addDomain(service, bob, "x.acme.com");
  });
});

describe("listing domains", () => {
  it("returns the account's domains by pages, newest first", async () => {
    for (const name of ["a.acme.com", "b.acme.com", "c.acme.com"]) await addDomain(service, ann, name);
    await addDomain(service, bob, "d.acme.com");
    const page = async (query: string) =>
      jsonOf<{ domains: { domain: string }[]; nextCursor: string | null }>(
        await service.call("GET", `/api/domains?limit=2${query}`, { key: ann.key }),
      );
    const first = await page("");
    const second = await page(`&cursor=${first.nextCursor}`);
    const names = [...first.domains, ...second.domains].map(({ domain }) => domain);
    expect(names.toSorted()).toEqual(["a.acme.com", "b.acme.com", "c.acme.com"]);
    expect(second.nextCursor).toBeNull();
  });
});

describe("updating a domain", () => {
  const patch = async (id: string, body: unknown, key = ann.key) =>
    service.call("PATCH", `/api/domains/${id}`, { key, body });

  it("changes only the given fields and clears a field with null", async () => {
    const domain = await addDomain(service, ann);
    const settings = {
      rootUrl: "https://acme.com/",
      notFoundUrl: "https://acme.com/lost",
      appleAppSiteAssociation: { applinks: { details: [] } },
      assetLinks: [],
    };
    expect(await oneOf(await patch(domain.id, settings))).toEqual({ ...domain, ...settings });
    expect(await oneOf(await patch(domain.id, { rootUrl: null, assetLinks: null }))).toEqual({
      ...domain,
      ...settings,
      rootUrl: null,
      assetLinks: null,
    });
  });

  it("stores a brand in one form, for the account only that has the domain", async () => {
    const domain = await addDomain(service, ann);
    const given = { brandName: " Cafe\u0301 ", brandLogo: "https://ACME.com/a b.svg", brandColor: "#0AF" };
    expect((await patch(domain.id, given, bob.key)).status).toBe(403);
    expect(await read(service, ann, domain)).toEqual(domain);
    const stored = { brandName: "Caf\u00e9", brandLogo: "https://acme.com/a%20b.svg", brandColor: "#00aaff" };
    expect(await oneOf(await patch(domain.id, given))).toEqual({ ...domain, ...stored });
    const cleared = { brandName: null, brandLogo: null, brandColor: null };
    expect(await oneOf(await patch(domain.id, cleared))).toEqual(domain);
  });

  it.each([
    [{}, ""],
    [{ domain: "x.acme.com" }, "domain"],
    [{ status: "verified" }, "status"],
    [{ rootUrl: "javascript:alert(1)" }, "rootUrl"],
    [{ rootUrl: "https://tern.test/x" }, "rootUrl"],
    [{ notFoundUrl: "https://go.acme.com/x" }, "notFoundUrl"],
    [{ notFoundUrl: "https://verified.acme.com./x" }, "notFoundUrl"],
    [{ rootUrl: 5 }, "rootUrl"],
    [{ brandName: "" }, "brandName"],
    [{ brandName: "a".repeat(61) }, "brandName"],
    [{ brandName: "a\nb" }, "brandName"],
    [{ brandLogo: "http://acme.com/logo.svg" }, "brandLogo"],
    [{ brandLogo: "data:image/svg+xml,x" }, "brandLogo"],
    [{ brandLogo: "https://ann:secret@acme.com/logo.svg" }, "brandLogo"],
    [{ brandLogo: "https://acme.com;script-src/logo.svg" }, "brandLogo"],
    [{ brandLogo: "https://*.com/logo.svg" }, "brandLogo"],
    [{ brandLogo: `https://acme.com/${"é".repeat(1_000)}` }, "brandLogo"],
    [{ brandColor: "red" }, "brandColor"],
    [{ brandColor: "#123456}body{display:none" }, "brandColor"],
    [{ appleAppSiteAssociation: "x" }, "appleAppSiteAssociation"],
    [{ appleAppSiteAssociation: { x: "x".repeat(40_000) } }, "appleAppSiteAssociation"],
    [{ assetLinks: {} }, "assetLinks"],
  ])("refuses %j", async (body, path) => {
    await addVerified(service, bob, "verified.acme.com");
    const domain = await addDomain(service, ann);
    expect(await errorOf(await patch(domain.id, body))).toMatchObject({
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
    expect(await read(service, ann, domain)).toEqual(domain);
  });
});

describe("a domain of another account", () => {
  it.each([
    ["GET", "", undefined],
    ["POST", "/verify", undefined],
    ["PATCH", "", { rootUrl: "https://evil.dev/" }],
    ["DELETE", "", undefined],
    ["DELETE", "?force=true", undefined],
  ])("answers %s %s with 403, and a domain that does not exist with 404", async (method, suffix, body) => {
    const domain = await addVerified(service, ann);
    const send = (id: string, key: string) => service.call(method, `/api/domains/${id}${suffix}`, { key, body });
    expect((await send(domain.id, bob.key)).status).toBe(403);
    expect((await send("01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", bob.key)).status).toBe(404);
    expect((await send("%27", bob.key)).status).toBe(404);
    expect(await read(service, ann, domain)).toEqual(domain);
  });

  it("requires the permission for domains", async () => {
    const domain = await addDomain(service, ann);
    const { key } = await createAccount(["links:read", "links:write"]);
    expect((await service.call("GET", "/api/domains", { key })).status).toBe(403);
    const reader = await createAccount(["domains:read"]);
    for (const [method, path] of [
      ["POST", "/api/domains/add"],
      ["POST", `/api/domains/${domain.id}/verify`],
      ["DELETE", `/api/domains/${domain.id}`],
    ] as const) {
      const body = path.endsWith("add") ? { domain: "x.acme.com" } : undefined;
      expect((await service.call(method, path, { key: reader.key, body })).status).toBe(403);
    }
  });
});

describe("deleting a domain", () => {
  it("lets the account add the domain again, with another token", async () => {
    const domain = await addVerified(service, ann);
    expect((await service.call("DELETE", `/api/domains/${domain.id}`, { key: ann.key })).status).toBe(200);
    expect((await service.call("GET", `/api/domains/${domain.id}`, { key: ann.key })).status).toBe(404);
    const again = await addDomain(service, ann);
    expect(proofOf(again).value).not.toBe(proofOf(domain).value);
    const response = await verify(service, ann, again);
    expect(await jsonOf(response)).toMatchObject({ verified: false, domain: { status: "pending" } });
  });
});

describe("webhooks", () => {
  it("cannot have a URL on a verified domain, but on a pending one", async () => {
    const body = { url: `https://${DOMAIN}./hook`, events: ["link.create"] };
    const domain = await addDomain(service, ann);
    expect((await service.call("POST", "/api/webhooks", { key: bob.key, body })).status).toBe(201);
    await service.createLink(bob.key);
    await service.deliver();
    expect((await internet.received()).map(({ url }) => url)).toEqual([body.url]);

    await publishProof(domain);
    await verify(service, ann, domain);
    expect(await errorOf(await service.call("POST", "/api/webhooks", { key: bob.key, body }))).toMatchObject({
      status: 400,
      details: [{ path: "url", code: "leads_back" }],
    });
    await internet.forget();
    await service.createLink(bob.key);
    await service.deliver();
    expect(await internet.received()).toEqual([]);
  });
});
