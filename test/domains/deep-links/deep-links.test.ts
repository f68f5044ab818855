import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_APP_ASSOCIATION_DEPTH } from "../../../src/domains/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { addKey, call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";

const APPLE = { applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] } };
const FINGERPRINT = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
const GOOGLE = [
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: { namespace: "android_app", package_name: "com.example.app", sha256_cert_fingerprints: [FINGERPRINT] },
  },
];

let accountId: number;
let key: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
});

const change = (path: string, body: unknown, by = key) => call("PATCH", `/api/deep-links/${path}`, { key: by, body });

async function readOf(path: string): Promise<unknown> {
  const response = await call("GET", `/api/deep-links/${path}`, { key });
  expect(response.status).toBe(200);
  return (await jsonOf<{ deepLinks: unknown }>(response)).deepLinks;
}

describe("the deep links of a link", () => {
  it("are its ios and android, and can be read and updated with the link too", async () => {
    const link = await createLink(key, { ios: "acme://one" });
    const path = `links/${link.id}`;
    expect(await readOf(path)).toEqual({ linkId: link.id, ios: "acme://one", android: null });

    const changed = await change(path, { android: "https://example.com/app" });
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { deepLinks: { linkId: link.id, ios: "acme://one", android: "https://example.com/app" } },
    ]);
    await change(path, { ios: null });
    const { link: after } = await jsonOf<{ link: typeof link }>(await call("GET", `/api/links/${link.id}`, { key }));
    expect(after).toMatchObject({ ios: null, android: "https://example.com/app", url: link.url });
    expect(after.updatedAt).toBeGreaterThan(link.updatedAt);
  });

  it("emit the event of any other update of the link", async () => {
    await call("POST", "/api/webhooks", { key, body: { url: "https://example.com/hook", events: ["link.update"] } });
    const { id } = await createLink(key);
    await change(`links/${id}`, { ios: "acme://one" });
    const { results } = await env.DB.prepare("SELECT type, body FROM deliveries").all<{ type: string; body: string }>();
    expect(results.map(({ type }) => type)).toEqual(["link.update"]);
    expect(JSON.parse(results[0]?.body ?? "{}")).toMatchObject({ data: { id, ios: "acme://one" } });
  });

  it.each([
    [{}, { path: "", code: "nothing_given", allowed: ["ios", "android"] }],
    [{ ios: "" }, { path: "ios", code: "refused_scheme" }],
    [{ ios: 1 }, { path: "ios", code: "wrong_type", expected: "string" }],
    [{ android: "javascript:alert(1)" }, { path: "android", code: "refused_scheme" }],
    [{ android: `acme://${"x".repeat(9_000)}` }, { path: "android", code: "too_long", max: 8_192 }],
    [{ ios: "https://tern.test/x" }, { path: "ios", code: "leads_back" }],
    [{ url: "https://example.com/" }, { path: "url", code: "unknown_field" }],
    [[], { path: "", code: "wrong_type", expected: "object" }],
    [null, { path: "", code: "wrong_type", expected: "object" }],
  ])("are refused as %j", async (body, fault) => {
    const { id } = await createLink(key);
    const response = await change(`links/${id}`, body);
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.[0]).toMatchObject(fault);
  });
});

describe("the deep links of a domain", () => {
  it("are its two files, which visitors get at once", async () => {
    const id = await insertDomain(accountId, "go.acme.test");
    const nothing = { domainId: id, domain: "go.acme.test", appleAppSiteAssociation: null, assetLinks: null };
    expect(await readOf(`domains/${id}`)).toEqual(nothing);
    const at = "https://go.acme.test/.well-known/";
    expect((await call("GET", `${at}assetlinks.json`)).status).toBe(404);

    const changed = await change(`domains/${id}`, { assetLinks: GOOGLE });
    expect([changed.status, await changed.json()]).toEqual([200, { deepLinks: { ...nothing, assetLinks: GOOGLE } }]);
    await change(`domains/${id}`, { appleAppSiteAssociation: APPLE });
    expect(await readOf(`domains/${id}`)).toEqual({ ...nothing, appleAppSiteAssociation: APPLE, assetLinks: GOOGLE });
    expect(await (await call("GET", `${at}assetlinks.json`)).json()).toEqual(GOOGLE);
    expect(await (await call("GET", `${at}apple-app-site-association`)).json()).toEqual(APPLE);

    await change(`domains/${id}`, { appleAppSiteAssociation: null, assetLinks: null });
    expect(await readOf(`domains/${id}`)).toEqual(nothing);
    expect((await call("GET", `${at}apple-app-site-association`)).status).toBe(404);
  });

  it("do not change its other settings", async () => {
    const id = await insertDomain(accountId, "go.acme.test", { root_url: "https://acme.test/" });
    await change(`domains/${id}`, { assetLinks: GOOGLE });
    expect((await call("GET", "https://go.acme.test/")).headers.get("Location")).toBe("https://acme.test/");
  });

  it.each([
    ["{}", { path: "", code: "nothing_given", allowed: ["appleAppSiteAssociation", "assetLinks"] }],
    ['{"assetLinks":{}}', { path: "assetLinks", code: "wrong_type", expected: "array" }],
    ['{"assetLinks":[{"relation":[]}]}', { path: "assetLinks.0.relation", code: "empty" }],
    ['{"appleAppSiteAssociation":"{}"}', { path: "appleAppSiteAssociation", code: "wrong_type", expected: "object" }],
    ['{"appleAppSiteAssociation":{"__proto__":{"a":1}}}', { path: "appleAppSiteAssociation", code: "nothing_given" }],
    [
      `{"appleAppSiteAssociation":{"a":${"[".repeat(20)}${"]".repeat(20)}}}`,
      { path: "appleAppSiteAssociation", code: "too_deep", max: MAX_APP_ASSOCIATION_DEPTH },
    ],
    [
      `{"appleAppSiteAssociation":{"a":"${"x".repeat(40_000)}"}}`,
      { path: "appleAppSiteAssociation", code: "too_many_bytes", max: 32_768 },
    ],
    ['{"assetLinks":null,"rootUrl":null}', { path: "rootUrl", code: "unknown_field" }],
  ])("are refused as %.60s", async (body, fault) => {
    const id = await insertDomain(accountId, "go.acme.test");
    const response = await change(`domains/${id}`, body);
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.[0]).toMatchObject(fault);
  });

  it("keep text that is not well-formed or not ASCII unchanged", async () => {
    const id = await insertDomain(accountId, "go.acme.test");
    const file = { ...APPLE, comment: "\ud800 \u0000 \u2028 ü 😀 </script>" };
    expect((await change(`domains/${id}`, { appleAppSiteAssociation: file })).status).toBe(200);
    expect(await (await call("GET", "https://go.acme.test/apple-app-site-association")).json()).toEqual(file);
  });

  it("can be set before the domain is verified, and are served only afterwards", async () => {
    const other = await createAccount();
    const id = await insertDomain(accountId, "go.acme.test", { status: "pending" });
    await insertDomain(other.accountId, "go.acme.test", { root_url: "https://theirs.test/" });
    expect((await change(`domains/${id}`, { assetLinks: GOOGLE })).status).toBe(200);
    expect((await call("GET", "https://go.acme.test/.well-known/assetlinks.json")).status).toBe(404);
    expect((await call("GET", "https://go.acme.test/")).headers.get("Location")).toBe("https://theirs.test/");
  });

  it("are those of the last of many parallel updates, completely", async () => {
    const id = await insertDomain(accountId, "go.acme.test");
    const files = Array.from({ length: 40 }, (_, n) => ({ ...APPLE, comment: `file ${n}` }));
    const responses = await Promise.all(
      files.map((file) => change(`domains/${id}`, { appleAppSiteAssociation: file })),
    );
    expect(responses.map(({ status }) => status)).toEqual(files.map(() => 200));
    const stored = (await readOf(`domains/${id}`)) as { appleAppSiteAssociation: object };
    expect(files).toContainEqual(stored.appleAppSiteAssociation);
    const served = await call("GET", "https://go.acme.test/.well-known/apple-app-site-association");
    expect(await served.json()).toEqual(stored.appleAppSiteAssociation);
  });
});

describe("the deep links of another account, or of an unknown id", () => {
  it("are refused with 403 and 404, without any change", async () => {
    const other = await createAccount();
    const linkId = (await createLink(key)).id;
    const domainId = await insertDomain(accountId, "go.acme.test");
    const cases: [string, object][] = [
      ["links/", { ios: "acme://theirs" }],
      ["domains/", { assetLinks: GOOGLE }],
    ];
    for (const [path, body] of cases) {
      const id = path === "links/" ? linkId : domainId;
      const unknown = [newId(Date.now()), "x", "%00", path === "links/" ? domainId : linkId];
      expect((await call("GET", `/api/deep-links/${path}${id}`, { key: other.key })).status).toBe(403);
      expect((await change(path + id, body, other.key)).status).toBe(403);
      for (const other of unknown) {
        expect((await call("GET", `/api/deep-links/${path}${other}`, { key })).status).toBe(404);
        expect((await change(path + other, body)).status).toBe(404);
      }
    }
    expect(await readOf(`links/${linkId}`)).toMatchObject({ ios: null });
    expect(await readOf(`domains/${domainId}`)).toMatchObject({ assetLinks: null });
  });

  it("need the permission to read or write the link or the domain", async () => {
    const linkId = (await createLink(key)).id;
    const domainId = await insertDomain(accountId, "go.acme.test");
    for (const path of [`links/${linkId}`, `domains/${domainId}`]) {
      const isLink = path.startsWith("links");
      const { key: reader } = await addKey(accountId, [isLink ? "links:read" : "domains:read"]);
      const { key: writer } = await addKey(accountId, [isLink ? "links:write" : "domains:write"]);
      const body = isLink ? { ios: null } : { assetLinks: null };
      expect((await call("GET", `/api/deep-links/${path}`, { key: reader })).status).toBe(200);
      expect((await call("GET", `/api/deep-links/${path}`, { key: writer })).status).toBe(403);
      expect((await change(path, body, reader)).status).toBe(403);
      expect((await change(path, body, writer)).status).toBe(200);
      expect((await call("GET", `/api/deep-links/${path}`)).status).toBe(401);
    }
  });
});

it("an update of a link at a custom domain reaches its visitors at once", async () => {
  await insertDomain(accountId, "go.acme.test");
  const { id } = await createLinkAt("go.acme.test", key, { slug: "spring" });
  expect((await call("GET", "https://go.acme.test/spring")).status).toBe(302);
  expect((await change(`links/${id}`, { ios: "acme://spring" })).status).toBe(200);
  expect((await call("GET", "https://go.acme.test/spring")).status).toBe(302);
});

it("the deep links of a domain cost one row of the domain, and a change those of its entry in the audit log", async () => {
  const id = await insertDomain(accountId, "go.acme.test");
  await insertDomain(accountId, "two.test");
  // lastUsedAt is stored once a minute.
  vi.useFakeTimers({ toFake: ["Date"] });
  await call("GET", `/api/deep-links/domains/${id}`, { key });
  const reading = await measureD1(() => call("GET", `/api/deep-links/domains/${id}`, { key }));
  expect(reading).toMatchObject({ roundTrips: 2, rowsRead: 2, rowsWritten: 0 });
  const writing = await measureD1(() => change(`domains/${id}`, { assetLinks: GOOGLE }));
  expect(writing.roundTrips).toBe(4);
  expect(writing.rowsRead).toBeLessThanOrEqual(13);
  expect(writing.rowsWritten).toBe(3);
});
