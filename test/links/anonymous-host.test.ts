import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import type { Link } from "../../src/links/contract.ts";
import { freshAddress } from "../support/address.ts";
import { BASE_URL, call, createAccount, jsonOf, type CallOptions } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { scan } from "../support/scanner.ts";
import { svgOf } from "../support/qr.ts";
import { exportFile, readLinks } from "../moving/exports/file-support.ts";
import { dataOf } from "../assistants/client.ts";
import { itWithSafety } from "../support/safety.ts";

const HOST = "go.example.net";
const DESTINATION = "https://example.com/";

beforeEach(() => {
  const settings = env as { ANONYMOUS_HOST: string };
  settings.ANONYMOUS_HOST = HOST;
  onTestFinished(() => {
    settings.ANONYMOUS_HOST = "";
  });
});

function ask(method: string, path: string, options: CallOptions = {}) {
  return call(method, path, { address: freshAddress(), ...options });
}

async function shorten(): Promise<Link> {
  const response = await ask("POST", "/api/shorten", { body: { url: DESTINATION } });
  expect(response.status).toBe(201);
  return (await jsonOf<{ link: Link }>(response)).link;
}

/** As a claim does it. */
async function give(link: Link, account: number): Promise<void> {
  await env.DB.prepare(
    "UPDATE links SET account_id = ?1, expires_at = NULL, verdict = 0, updated_at = updated_at + 1 WHERE id = ?2",
  )
    .bind(account, link.id)
    .run();
}

itWithSafety("has the links of anonymous callers, and the service's own host does not", async () => {
  const link = await shorten();
  expect(link).toMatchObject({ domain: HOST, shortUrl: `https://${HOST}/${link.slug}` });
  expect((await ask("GET", link.shortUrl)).status).toBe(200);
  expect(await (await ask("GET", link.shortUrl)).text()).toContain(DESTINATION);
  expect((await ask("GET", `${BASE_URL}/${link.slug}`)).status).toBe(404);
});

itWithSafety("has slugs of its own", async () => {
  const { key } = await createAccount();
  const link = await shorten();
  const own = await ask("POST", "/api/links", { key, body: { url: "https://example.org/", slug: link.slug } });
  expect(own.status).toBe(201);
  expect((await ask("GET", `${BASE_URL}/${link.slug}`)).headers.get("Location")).toBe("https://example.org/");
  expect(await (await ask("GET", link.shortUrl)).text()).toContain(DESTINATION);
});

it("serves its root and robots.txt as a domain does, and neither the API nor the dashboard", async () => {
  const statuses = [];
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/unknown", "/api/health", "/app", "/docs"])
    statuses.push((await ask("GET", `https://${HOST}${path}`)).status);
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404]);
});

it("belongs to nobody", async () => {
  const { key } = await createAccount();
  const added = await ask("POST", "/api/domains/add", { key, body: { domain: HOST } });
  expect(added.status).toBe(400);
  expect(await added.json()).toMatchObject({ details: [{ path: "domain", code: "anonymous_host" }] });
  const at = { url: DESTINATION, domain: HOST };
  expect((await ask("POST", "/api/links", { key, body: at })).status).toBe(403);
  expect((await ask("POST", "/api/links", { key, body: { url: `https://${HOST}/abc` } })).status).toBe(400);
});

it("keeps a link that an account has claimed, which may change all but its short URL", async () => {
  const { key, accountId: account } = await createAccount();
  const link = await shorten();
  await give(link, account);
  const path = `/api/links/${link.id}`;
  const change = (body: object) => ask("PATCH", path, { key, body });
  expect((await change({ title: "A", url: "https://example.org/", domain: HOST })).status).toBe(200);
  expect((await ask("GET", link.shortUrl)).headers.get("Location")).toBe("https://example.org/");
  for (const body of [{ slug: "other-slug" }, { domain: "tern.test" }]) expect((await change(body)).status).toBe(409);
  expect((await ask("DELETE", path, { key })).status).toBe(200);
  expect((await ask("GET", link.shortUrl)).status).toBe(404);
  expect((await ask("POST", `${path}/restore`, { key })).status).toBe(200);
  expect((await ask("GET", link.shortUrl)).headers.get("Location")).toBe("https://example.org/");
});

it("costs a row for a redirect that no cache has, and none for one to an unknown file of the host", async () => {
  const { accountId } = await createAccount();
  const link = await shorten();
  await give(link, accountId);
  memoryCache.clear();
  const cost = await measureD1(() => ask("GET", link.shortUrl));
  expect(cost).toMatchObject({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  expect(await measureD1(() => ask("GET", `https://${HOST}/robots.txt`))).toMatchObject({ roundTrips: 0 });
});

itWithSafety("shows the destination after a plus, and leads reports of it to the service's own host", async () => {
  const link = await shorten();
  const page = await (await ask("GET", `${link.shortUrl}+`)).text();
  expect(page).toContain(DESTINATION);
  expect(page).toContain(`href="${BASE_URL}/abuse?url=`);
  expect((await ask("GET", `https://${HOST}/abuse`)).status).toBe(404);
});

it("is in the QR code, in exports and in what assistants get of a claimed link", async () => {
  const { key, accountId } = await createAccount();
  const { id, shortUrl } = await shorten().then(async (link) => {
    await give(link, accountId);
    return link;
  });
  const svg = await svgOf(await ask("GET", `/api/links/${id}/qr`, { key }));
  expect(scan(svg.modules, 4)).toBe(`${shortUrl}?qr=1`);
  const { text } = await exportFile({ key }, { kind: "links" });
  expect(readLinks(text)).toMatchObject([{ id, domain: HOST, shortUrl }]);
  const { link } = await dataOf<{ link: Link }>(key, "get_link", { shortUrl });
  expect(link).toMatchObject({ id, shortUrl });
});
