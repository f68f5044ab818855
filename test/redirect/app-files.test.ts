import { beforeEach, expect, it } from "vitest";
import { accountId, call, key, startAccount } from "../support/api.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const APPLE = '{"webcredentials":{"apps":["ABCDE12345.com.example.app"]}}';
const GOOGLE = '[{"relation":["delegate_permission/common.handle_all_urls"]}]';
const FILES = [
  ["/.well-known/apple-app-site-association", APPLE],
  ["/apple-app-site-association", APPLE],
  ["/.well-known/assetlinks.json", GOOGLE],
] as const;

beforeEach(async () => {
  await startAccount();
  const files = { apple_app_site_association: APPLE, asset_links: GOOGLE };
  await insertDomain(accountId, "go.acme.test", files);
  await insertDomain(accountId, "bare.test", { not_found_url: "https://example.com/lost" });
  await insertDomain(accountId, "pending.test", { ...files, status: "pending" });
});

it.each(FILES)("serves %s as stored, as JSON, without a redirect, cacheable for 5 minutes", async (path, text) => {
  for (const method of ["GET", "HEAD"]) {
    const response = await call(method, `https://go.acme.test${path}?v=1`, {
      headers: { "User-Agent": "AASA-Bot/1.0.0" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(await response.text()).toBe(method === "HEAD" ? "" : text);
  }
});

it.each(FILES)(
  "responds 404 for %s if none is set, if the domain is not verified, and on the service domain",
  async (path) => {
    for (const host of ["bare.test", "pending.test", "nobodys.test", "tern.test"]) {
      const response = await call("GET", `https://${host}${path}`);
      expect([response.status, response.headers.get("Location")]).toEqual([404, null]);
    }
  },
);

it("never serves a link at the path of a file", async () => {
  const slug = "apple-app-site-association";
  await createLinkAt("bare.test", key, { slug });
  expect((await call("GET", `https://bare.test/${slug}`)).status).toBe(404);
  const taken = await call("POST", "/api/links", { key, body: { url: "https://example.com/", slug } });
  expect(taken.status).toBe(400);
});
