import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { packVerdict } from "../../src/redirect/verdict.ts";
import { accountId, call, createLink, jsonOf, key, startAccount, takeSentVisits } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";
import { cookieOf, guess, PASSWORD, visitWith } from "../support/password.ts";
import { IPHONE, locationFor, visitAs } from "../support/visitors.ts";

const SIGNED = "https://bucket.s3.amazonaws.example/f.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc";
const OVER = "https://example.com/over?signature=1";

beforeEach(startAccount);

const createSigned = (slug: string, fields: object = {}) =>
  createLink(key, { slug, url: SIGNED, passParameters: false, ...fields });

async function locationOf(path: string): Promise<string | null> {
  return (await call("GET", path)).headers.get("Location");
}

/** What a visit gets, and what it costs. */
async function visitOnce(path: string) {
  let response = new Response();
  const { roundTrips, rowsRead, rowsWritten } = await measureD1(async () => void (response = await call("GET", path)));
  const { status, headers } = response;
  const [location, cacheControl] = [headers.get("Location"), headers.get("Cache-Control")];
  return { status, location, cacheControl, roundTrips, rowsRead, rowsWritten };
}

describe("a link that keeps the visitors' parameters off its destinations", () => {
  it.each(["fbclid=IwAR1", "utm_source=mail", "mc_cid=1&mc_eid=2", "qr=1", "qr=1&a", "&", "X-Amz-Signature=evil"])(
    "redirects to the destination as it is stored with ?%s",
    async (query) => {
      await createSigned("signed");
      for (let visit = 0; visit < 2; visit++) expect(await locationOf(`/signed?${query}`)).toBe(SIGNED);
      expect(await locationOf(`/signed&${query}`)).toBe(SIGNED);
    },
  );

  it("records the click as before, also that it comes from a QR code", async () => {
    await createSigned("signed");
    await createLink(key, { slug: "handed", url: SIGNED });
    for (const slug of ["signed", "handed"]) await visitAs({ address: "203.0.113.9" }, `/${slug}?qr=1&utm_source=mail`);
    const [signed, handed] = takeSentVisits();
    const [at, id] = [expect.any(Number) as number, expect.any(String) as string];
    expect(signed).toEqual([at, id, ...(handed ?? []).slice(2)]);
    expect(signed?.at(-1)).toBe(1);
  });

  it("does so for rules, countries and the URL after its end", async () => {
    const rules = [{ languages: ["fr"], url: "https://example.com/fr?signature=2" }];
    await createSigned("many", { rules, geo: { DE: "https://example.com/de?signature=3" } });
    expect(await locationFor({ headers: { "Accept-Language": "fr" } }, "/many?a=b")).toBe(rules[0]?.url);
    expect(await locationFor({ cf: { country: "DE" } }, "/many?a=b")).toBe("https://example.com/de?signature=3");
    expect(await locationFor({}, "/many?a=b")).toBe(SIGNED);
    await createSigned("over", { expiredUrl: OVER, disabled: true });
    expect(await locationOf("/over?a=b")).toBe(OVER);
  });

  it("does so for an app's URL and the web URL beside it", async () => {
    await createSigned("in-app", { ios: "acme://open?signature=4" });
    const html = await (await visitAs({ userAgent: IPHONE }, "/in-app?fbclid=IwAR1")).text();
    expect(html).toContain('href="acme://open?signature=4"');
    expect(html).toContain(`href="${SIGNED.replaceAll("&", "&amp;")}"`);
  });

  it("shows its destination as it is stored at +, and keeps the parameters of the short URL there", async () => {
    await createSigned("signed");
    await createSigned("over", { expiredUrl: OVER, disabled: true });
    const read = async (path: string) =>
      jsonOf<object>(await call("GET", path, { headers: { Accept: "application/json" } }));
    const shortUrl = "https://tern.test/signed?fbclid=IwAR1";
    expect(await read("/signed+?fbclid=IwAR1")).toMatchObject({ shortUrl, destination: SIGNED });
    expect(await read("/over+?fbclid=IwAR1")).toMatchObject({ destination: OVER });
    await createSigned("in-app", { ios: "acme://open?signature=4" });
    expect(await (await visitAs({ userAgent: IPHONE }, "/in-app+?fbclid=IwAR1")).text()).toContain(
      ">acme://open?signature=4<",
    );
  });

  it("shows link-preview fetchers its destination as it is stored", async () => {
    await createSigned("shown", { preview: { title: "Report" } });
    const html = await (await visitAs({ userAgent: "Twitterbot/1.0" }, "/shown?fbclid=IwAR1")).text();
    expect(html).toContain("Report");
    expect(html).toContain(`href="${SIGNED.replaceAll("&", "&amp;")}"`);
  });

  it("hands on none after the password, whose form keeps those of the short URL", async () => {
    await createSigned("shut", { password: PASSWORD });
    const form = await guess("/shut?fbclid=IwAR1", PASSWORD);
    expect(form.headers.get("Location")).toBe("/shut?fbclid=IwAR1");
    const visit = await visitWith("/shut?fbclid=IwAR1", cookieOf(form));
    expect(visit.headers.get("Location")).toBe(SIGNED);
  });

  it.each([
    ["a warning", packVerdict({ state: "warned", reason: "phishing", since: 1 }, false)],
    ["an unfinished check", packVerdict({ state: "pending", reason: null, since: 1 }, true)],
  ])("shows its destinations as they are stored behind %s", async (_, verdict) => {
    await createSigned("odd");
    await createSigned("odd-over", { expiredUrl: OVER, disabled: true });
    await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1").bind(verdict).run();
    const headers = { Accept: "application/json" };
    const read = async (path: string) => jsonOf<object>(await call("GET", path, { headers }));
    expect(await read("/odd?utm_source=mail")).toMatchObject({ destination: SIGNED });
    expect(await read("/odd-over?utm_source=mail")).toMatchObject({ destination: OVER });
  });

  it("hands on no utm parameter without trust", async () => {
    await createSigned("new");
    const verdict = packVerdict({ state: "allowed", reason: null, since: null }, true);
    await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1").bind(verdict).run();
    expect(await locationOf("/new?utm_source=mail")).toBe(SIGNED);
  });

  it("gets the path on a domain that forwards paths, and no parameters", async () => {
    const notFound = "https://example.com/lost";
    await insertDomain(accountId, "go.acme.test", { path_forwarding: 1, not_found_url: notFound });
    const url = "https://example.com/files?signature=5";
    await createLinkAt("go.acme.test", key, { slug: "docs", url, passParameters: false });
    const at = "https://go.acme.test";
    expect(await locationOf(`${at}/docs/a/b?fbclid=IwAR1`)).toBe("https://example.com/files/a/b?signature=5");
    expect(await locationOf(`${at}/unknown?fbclid=IwAR1`)).toBe(`${notFound}?fbclid=IwAR1`);
  });

  it("uses visits, costs no more to find, and is cached by browsers, as any other", async () => {
    await createSigned("limited", { maxClicks: 1 });
    expect(await locationOf("/limited?a=b")).toBe(SIGNED);
    expect((await call("GET", "/limited?a=b")).status).toBe(410);
    await createSigned("lasting", { redirectStatus: 301 });
    await createLink(key, { slug: "handed", url: SIGNED, redirectStatus: 301 });
    const [lasting, handed] = [await visitOnce("/lasting?a=b"), await visitOnce("/handed?a=b")];
    expect(lasting).toEqual({ ...handed, location: SIGNED });
    expect(lasting).toMatchObject({ status: 301, cacheControl: "private, max-age=86400", roundTrips: 1 });
  });
});

it("hands parameters on, or keeps them off, at once when the setting changes", async () => {
  const { id } = await createLink(key, { slug: "turned", url: "https://example.com/?a=1" });
  const turn = (passParameters: boolean | null) => call("PATCH", `/api/links/${id}`, { key, body: { passParameters } });
  expect(await locationOf("/turned?b=2")).toBe("https://example.com/?a=1&b=2");
  await turn(false);
  expect(await locationOf("/turned?b=2")).toBe("https://example.com/?a=1");
  await turn(null);
  expect(await locationOf("/turned?b=2")).toBe("https://example.com/?a=1&b=2");
});
