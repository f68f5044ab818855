import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { isUncounted } from "../../src/redirect/own-visits.ts";
import { BASE_URL, call, createAccount, createLink, takeSentClicks, takeSentVisits } from "../support/api.ts";
import { consume } from "../support/clicks.ts";

const PAGE = "/visits/own";
const OWN = { "Sec-Fetch-Site": "same-origin" };

let key: string;
let accountId: number;
beforeEach(async () => {
  ({ key, accountId } = await createAccount());
});

const visit = (url: string, cookie: string) => call("GET", url, { headers: { Cookie: cookie } });

async function choose(origin: string, count: 0 | 1): Promise<string> {
  const response = await call("POST", `${origin}${PAGE}?count=${count}`, { headers: OWN });
  expect([response.status, response.headers.get("Location")]).toEqual([303, PAGE]);
  return response.headers.get("Set-Cookie") ?? "";
}

describe("a browser that leaves its visits out", () => {
  it("is not counted at this host, and others are", async () => {
    await createLink(key, { slug: "tested" });
    const set = await choose(BASE_URL, 0);
    expect(set).toBe("__Host-uncounted=1; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure");
    const [cookie = ""] = set.split(";");
    for (const own of [cookie, `a=b; ${cookie}`, `${cookie}; a=b`])
      expect((await visit("/tested", own)).status).toBe(302);
    expect(takeSentVisits()).toEqual([]);
    // Another host of the domain can set the last one.
    for (const other of ["", "__Host-uncounted=0", "not__Host-uncounted=1", "uncounted=1"])
      await visit("/tested", other);
    expect(takeSentVisits()).toHaveLength(4);
    expect(await choose(BASE_URL, 1)).toContain("Max-Age=0");
  });

  it("reads on the page what holds, in its language", async () => {
    const counted = await call("GET", PAGE);
    expect([counted.status, counted.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    const html = await counted.text();
    expect(html).toContain("short links on tern.test are counted");
    expect(html).toContain('action="?count=0"');
    const headers = { Cookie: "__Host-uncounted=1", "Accept-Language": "de" };
    const uncounted = await (await call("GET", PAGE, { headers })).text();
    expect(uncounted).toContain("tern.test mit diesem Browser werden nicht gezählt");
    expect(uncounted).toContain('action="?count=1"');
    expect((await call("DELETE", PAGE)).headers.get("Allow")).toBe("GET, HEAD, POST");
  });

  it("is not chosen by a cookie that another host of the domain can set", () => {
    const isOff = (url: string, cookie: string) => isUncounted(new Request(url, { headers: { Cookie: cookie } }));
    expect(isOff("http://go.acme.test/few", "uncounted=1")).toBe(false);
    expect(isOff("https://go.acme.test/few", "uncounted=1; a=b")).toBe(false);
    expect(isOff("https://go.acme.test/few", "a=b; __Host-uncounted=1")).toBe(true);
    for (const host of ["localhost:8787", "127.0.0.1", "[::1]:80"])
      expect(isOff(`http://${host}/few`, "uncounted=1")).toBe(true);
  });

  it("uses visits of links with a limit, which nobody can pass", async () => {
    const { id } = await createLink(key, { slug: "few", maxClicks: 1 });
    const cookie = "__Host-uncounted=1";
    expect((await visit("/few", cookie)).status).toBe(302);
    expect((await visit("/few", cookie)).status).toBe(410);
    await consume(takeSentClicks());
    const response = await call("GET", `/api/links/${id}`, { key });
    const { link } = await response.json<{ link: Link }>();
    expect(link.clicks).toBe(0);
  });

  it.each(["cross-site", "same-site", "none", ""])("is not chosen by a form of another site (%s)", async (site) => {
    const headers: Record<string, string> = site === "" ? {} : { "Sec-Fetch-Site": site };
    const response = await call("POST", `${PAGE}?count=0`, { headers });
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([400, null]);
  });
});

it("has a page on each verified custom domain, and on no other host", async () => {
  await env.DB.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
     VALUES ('d', ?1, 'go.acme.test', '', 'verified', 0, 0)`,
  )
    .bind(accountId)
    .run();
  expect(await (await call("GET", `https://go.acme.test${PAGE}`)).text()).toContain("short links on go.acme.test");
  expect(await choose("https://go.acme.test", 0)).toContain("__Host-uncounted=1");
  const unknown = await call("POST", `https://unknown.test${PAGE}?count=0`, { headers: OWN });
  expect([unknown.status, unknown.headers.get("Set-Cookie")]).toEqual([404, null]);
});
