import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { publishDomain, publishDomainLoss } from "../../src/redirect/lookup/publish.ts";
import { buildRequest, call, createAccount, createLink, jobContext, send } from "../support/api.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";
import { ENTRY_SERVED_MS } from "../../src/redirect/limits.ts";

const HOST = "go.acme.test";
const AT = `https://${HOST}`;

let accountId: number;
let key: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
});

function linkAt(domain: string, slug: string, fields: Record<string, unknown> = {}, owner = key) {
  return createLinkAt(domain, owner, { slug, ...fields });
}

async function answerAt(url: string): Promise<string | number> {
  const response = await call("GET", url);
  return response.headers.get("Location") ?? response.status;
}

const changeDomain = (assignments: string) =>
  env.DB.prepare(`UPDATE domains SET ${assignments}, updated_at = updated_at + 1 WHERE domain = ?1`).bind(HOST).run();

describe("a link of a custom domain", () => {
  it("is found if the domain is verified for its account, and nowhere else", async () => {
    const other = await createAccount();
    await insertDomain(accountId, HOST);
    await insertDomain(accountId, "pending.test", { status: "pending" });
    await insertDomain(other.accountId, "theirs.test");
    for (const domain of [HOST, "pending.test", "theirs.test", "nobodys.test"]) await linkAt(domain, "spring");
    for (let visit = 0; visit < 2; visit++) {
      expect(await answerAt(`${AT}/spring?a=1`)).toBe("https://example.com/?a=1");
      for (const host of ["pending.test", "theirs.test", "nobodys.test", "tern.test"])
        expect(await answerAt(`https://${host}/spring`)).toBe(404);
    }
  });

  it("differs from a link with the same slug elsewhere, in the database and in both caches", async () => {
    await insertDomain(accountId, HOST);
    await insertDomain(accountId, "two.test");
    await createLink(key, { url: "https://example.com/own", slug: "same" });
    await linkAt(HOST, "same", { url: "https://example.com/one" });
    await linkAt("two.test", "same", { url: "https://example.com/two" });
    for (let visit = 0; visit < 3; visit++) {
      expect(await answerAt("https://two.test/same")).toBe("https://example.com/two");
      expect(await answerAt("/same")).toBe("https://example.com/own");
      expect(await answerAt(`${AT}/same`)).toBe("https://example.com/one");
    }
  });

  it.each(["http://go.acme.test", "https://GO.Acme.TEST", "https://go.acme.test:8787", "https://go.acme.test."])(
    "is found through %s",
    async (origin) => {
      await insertDomain(accountId, HOST);
      await linkAt(HOST, "spring");
      expect(await answerAt(`${origin}/spring`)).toBe("https://example.com/");
      expect(await answerAt(`${origin}/SPRING/`)).toBe("https://example.com/");
    },
  );

  it("is found at an international name in Unicode and in Punycode", async () => {
    await insertDomain(accountId, "xn--bcher-kva.test");
    await linkAt("xn--bcher-kva.test", "spring");
    expect(await answerAt("https://bücher.test/spring")).toBe("https://example.com/");
  });

  it.each(["go.acme.test..", "www.go.acme.test", "acme.test", "go.acme.test.evil.test", "go.acme.test%2eevil.test"])(
    "is not found at %s",
    async (host) => {
      await insertDomain(accountId, HOST);
      await linkAt(HOST, "spring");
      expect(await answerAt(`https://${host}/spring`)).toBe(404);
    },
  );

  it("has an exact limit of visits, and uses none after the domain is lost", async () => {
    await insertDomain(accountId, HOST);
    await linkAt(HOST, "limited", { maxClicks: 3 });
    const statuses = await Promise.all(Array.from({ length: 10 }, () => answerAt(`${AT}/limited`)));
    expect(statuses.filter((status) => status !== 410)).toHaveLength(3);
    await env.DB.prepare("UPDATE links SET visits = 0").run();
    await changeDomain("status = 'pending'");
    expect(await answerAt(`${AT}/limited`)).toBe(404);
    expect(await env.DB.prepare("SELECT visits FROM links").first("visits")).toBe(0);
  });

  it("is not found 35 seconds after its domain was lost, and is found again once the domain is back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await insertDomain(accountId, HOST);
    await linkAt(HOST, "spring");
    expect(await answerAt(`${AT}/spring`)).toBe("https://example.com/");
    await changeDomain("status = 'pending'");
    for (let passed = 0; passed < ENTRY_SERVED_MS; passed += 1_000) {
      await answerAt(`${AT}/spring`);
      vi.setSystemTime(Date.now() + 1_000);
    }
    expect(await answerAt(`${AT}/spring`)).toBe(404);
    await changeDomain("status = 'verified'");
    for (let visit = 0; visit < 2; visit++) expect(await answerAt(`${AT}/spring`)).toBe("https://example.com/");
  });

  it("is not found after another account got the domain, whose links are found", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const other = await createAccount();
    await insertDomain(accountId, HOST, { root_url: "https://example.com/old" });
    await linkAt(HOST, "old");
    expect([await answerAt(`${AT}/old`), await answerAt(`${AT}/`)]).toEqual([
      "https://example.com/",
      "https://example.com/old",
    ]);
    await env.DB.prepare("DELETE FROM domains").run();
    // An earlier time than the first owner's, as after a clock was set back.
    await insertDomain(other.accountId, HOST, { root_url: "https://example.com/new", updated_at: 1 });
    await linkAt(HOST, "new", {}, other.key);
    vi.setSystemTime(Date.now() + ENTRY_SERVED_MS);
    for (let visit = 0; visit < 2; visit++) {
      expect(await answerAt(`${AT}/old`)).toBe(404);
      expect(await answerAt(`${AT}/new`)).toBe("https://example.com/");
      expect(await answerAt(`${AT}/`)).toBe("https://example.com/new");
    }
  });

  it("is not found from the moment the loss of its domain is known, also while the database fails", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await insertDomain(accountId, HOST);
    for (const slug of ["spring", "summer"]) {
      await linkAt(HOST, slug);
      expect(await answerAt(`${AT}/${slug}`)).toBe("https://example.com/");
    }
    const lost = await domainRow();
    await env.DB.prepare("DELETE FROM domains").run();
    vi.setSystemTime(Date.now() + 1_000);
    await publishDomainLoss(jobContext(Date.now()), lost);
    expect(await answerAt(`${AT}/spring`)).toBe(404);
    expect((await send(buildRequest("GET", `${AT}/summer`), { DB: failingDatabase() })).status).toBe(503);

    const other = await createAccount();
    await insertDomain(other.accountId, HOST);
    await publishDomain(jobContext(Date.now()), await domainRow());
    expect(await answerAt(`${AT}/summer`)).toBe(404);
    await env.DB.prepare("UPDATE domains SET account_id = ?1, updated_at = updated_at + 1").bind(accountId).run();
    await publishDomain(jobContext(Date.now()), await domainRow());
    for (let visit = 0; visit < 2; visit++) expect(await answerAt(`${AT}/summer`)).toBe("https://example.com/");
  });

  it("is not found without an account: anonymous links exist on the service domain only", async () => {
    await insertDomain(accountId, HOST);
    const { id } = await linkAt(HOST, "nobodys");
    await env.DB.prepare("UPDATE links SET account_id = NULL WHERE id = ?1").bind(id).run();
    expect(await answerAt(`${AT}/nobodys`)).toBe(404);
  });
});

describe("a verified domain", () => {
  it("redirects its root and unknown paths to the owner's URLs, with the visitor's parameters", async () => {
    await insertDomain(accountId, HOST, {
      root_url: "https://acme.test/?own=1",
      not_found_url: "https://acme.test/lost#x",
    });
    for (let visit = 0; visit < 2; visit++) {
      const root = await call("GET", `${AT}/?own=2&a=1`);
      expect([root.status, root.headers.get("Location"), root.headers.get("Cache-Control")]).toEqual([
        302,
        "https://acme.test/?own=1&a=1",
        "no-store",
      ]);
      for (const path of ["/unknown", "/a/b", "/a.b", "/%", "/api", "/api/links", "/wp-login.php", "/.well-known/x"]) {
        const lost = await call("GET", AT + path);
        expect([lost.status, lost.headers.get("Location")]).toEqual([302, "https://acme.test/lost#x"]);
      }
    }
    expect((await call("HEAD", `${AT}/unknown`)).headers.get("Location")).toBe("https://acme.test/lost#x");
    expect((await call("POST", `${AT}/unknown`)).status).toBe(405);
  });

  it("encodes the owner's URLs for headers", async () => {
    await insertDomain(accountId, HOST, { root_url: "https://bücher.test/ü" });
    expect(await answerAt(`${AT}/`)).toBe("https://xn--bcher-kva.test/%C3%BC");
  });

  it("has a plain page at its root and 404 for unknown paths if the owner has set no URLs", async () => {
    await insertDomain(accountId, HOST);
    const root = await call("GET", `${AT}/`);
    expect([root.status, root.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await root.text()).not.toMatch(/Tern|api/i);
    for (const path of ["/unknown", "/a/b"]) {
      const lost = await call("GET", AT + path);
      expect(lost.status).toBe(404);
      expect(await lost.text()).not.toMatch(/Tern|api/i);
    }
    expect(await (await call("GET", `${AT}/robots.txt`)).text()).toBe("User-agent: *\nDisallow: \n");
  });

  it("never redirects in a loop", async () => {
    await insertDomain(accountId, HOST, { root_url: `${AT}/`, not_found_url: `https://GO.acme.test/lost` });
    expect(await answerAt(`${AT}/?a=1`)).toBe(200);
    expect(await answerAt(`${AT}/unknown`)).toBe(`${AT}/lost`);
    expect(await answerAt(`${AT}/lost`)).toBe(404);
  });

  it("never serves the API", async () => {
    await insertDomain(accountId, HOST);
    for (const path of ["/api", "/api/", "/api/links", "/api/openapi.json", "/API/links"]) {
      const response = await call("GET", AT + path, { key, headers: { Accept: "application/json" } });
      expect([response.status, await response.json()]).toEqual([404, { error: expect.any(String), code: "not_found" }]);
      expect((await call("POST", AT + path, { key, body: { url: "https://example.com/" } })).status).toBe(405);
    }
  });

  it("ignores headers that name another host", async () => {
    await insertDomain(accountId, HOST, { root_url: "https://acme.test/" });
    const names = ["X-Forwarded-Host", "X-Host", "X-Original-Host", "X-Forwarded-Server"];
    const headers = Object.fromEntries(names.map((name) => [name, HOST]));
    expect(
      (await call("GET", "https://other.test/", { headers: { ...headers, Forwarded: `host=${HOST}` } })).status,
    ).toBe(404);
    const turned = Object.fromEntries(names.map((name) => [name, "other.test"]));
    expect((await call("GET", `${AT}/`, { headers: turned })).headers.get("Location")).toBe("https://acme.test/");
  });

  it("applies a change of its settings within 35 seconds, and at once where it is published", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await insertDomain(accountId, HOST, { root_url: "https://acme.test/1" });
    expect(await answerAt(`${AT}/`)).toBe("https://acme.test/1");
    await changeDomain("root_url = 'https://acme.test/2'");
    for (let passed = 0; passed < ENTRY_SERVED_MS; passed += 1_000) {
      await answerAt(`${AT}/`);
      vi.setSystemTime(Date.now() + 1_000);
    }
    expect(await answerAt(`${AT}/`)).toBe("https://acme.test/2");

    await changeDomain("root_url = 'https://acme.test/3'");
    await publishDomain(jobContext(Date.now()), await domainRow());
    expect(await answerAt(`${AT}/`)).toBe("https://acme.test/3");
    const lost = await domainRow();
    await env.DB.prepare("DELETE FROM domains").run();
    await publishDomainLoss(jobContext(Date.now()), lost);
    expect(await answerAt(`${AT}/`)).toBe(404);
    await insertDomain(accountId, HOST, { root_url: "https://acme.test/4" });
    expect(await answerAt(`${AT}/`)).toBe("https://acme.test/4");
  });

  it("is served from stale copies while the database fails, and responds 503 without a copy", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await insertDomain(accountId, HOST, { root_url: "https://acme.test/" });
    await linkAt(HOST, "spring");
    for (const path of ["/", "/spring"]) await call("GET", AT + path);
    vi.setSystemTime(Date.now() + 3_600_000);
    const DB = failingDatabase();
    const statusOf = async (url: string) => (await send(buildRequest("GET", url), { DB })).status;
    expect([await statusOf(`${AT}/`), await statusOf(`${AT}/spring`)]).toEqual([302, 302]);
    expect([await statusOf("https://unseen.test/"), await statusOf(`${AT}/unseen`)]).toEqual([503, 503]);
  });
});

function failingDatabase(): D1Database {
  const fail = () => {
    throw new Error("D1 is down");
  };
  return new Proxy(env.DB, { get: () => fail });
}

async function domainRow() {
  const row = await env.DB.prepare("SELECT * FROM domains WHERE domain = ?1")
    .bind(HOST)
    .first<Parameters<typeof publishDomain>[1]>();
  if (row === null) throw new Error("no such domain");
  return row;
}
