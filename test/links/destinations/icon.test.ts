import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_ICON_BYTES } from "#src/links/destinations/limits.ts";
import { hostileUrls } from "../../webhooks/delivery/hostile-urls.ts";
import type { Reply } from "../../identity/people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { actFor, join, makeTeam, type TeamOf } from "../../identity/teams/support.ts";

// The icon that the dashboard shows for the destination of a link.

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const WATCHING = { DESTINATION_WATCH: "on" };

let team: TeamOf;
/** Each test has a host of its own: icons stay in the edge cache. */
let host: string;
let hosts = 0;

beforeEach(async () => {
  await internet.reset();
  team = await makeTeam();
  host = `icons-${++hosts}.dev`;
  await internet.answers({ [`${host}/robots.txt`]: { status: 404 } });
});

/** Makes a link that was visited. `icon` is null if the page names none. */
async function visited(icon: string | null = `https://${host}/i.png`): Promise<string> {
  const { body } = await actFor(team, team.owner, "POST", "/api/links", { url: `https://${host}/` });
  const { id } = body["link"] as { id: string };
  await env.DB.prepare(
    `INSERT INTO destinations (link_id, link_seq, account_id, due_at, visited_hash, outcome, icon, final_host, response_status, checked_at)
     SELECT id, seq, account_id, 9e12, url_hash, 'working', ?2, ?3, 200, 1 FROM links WHERE id = ?1`,
  )
    .bind(id, icon, host)
    .run();
  return id;
}

function read(id: string, bindings: object = WATCHING): Promise<Reply> {
  return team.owner.browser.get(`/api/account/icons/${id}?accountId=${team.id}`, { bindings: { ...bindings } });
}

const requested = async () =>
  (await internet.received()).map(({ url }) => url).filter((url) => !/robots\.txt|resolver|dns-query/.test(url));

describe("the icon of a destination", () => {
  it.each([
    ["image/png", "text/html", PNG],
    ["image/x-icon", "", [0, 0, 1, 0, 1, 0]],
    ["image/jpeg", "image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
    ["image/gif", "image/gif", [...new TextEncoder().encode("GIF89a")]],
    ["image/webp", "image/webp", [...new TextEncoder().encode("RIFF....WEBP")]],
    ["image/svg+xml", "image/svg+xml; charset=utf-8", [...new TextEncoder().encode(SVG)]],
  ])("is %s by its bytes, is cached, and can do nothing", async (type, said, bytes) => {
    await internet.answers({ [`${host}/i.png`]: { bytes, headers: { "Content-Type": said } } });
    const id = await visited();
    for (let call = 0; call < 2; call++) {
      const { status, headers } = await read(id);
      expect([status, headers.get("Content-Type")]).toEqual([200, type]);
      expect(headers.get("Cache-Control")).toBe("private, max-age=86400");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'; style-src 'unsafe-inline'");
      expect(headers.get("Content-Security-Policy")).toMatch(/sandbox$/);
    }
    expect(await requested()).toEqual([`https://${host}/i.png`]);
  });

  it("is looked for at the usual place if the page names none, and follows redirects", async () => {
    await internet.answers({
      [`${host}/favicon.ico`]: { status: 302, headers: { Location: "/f.png" } },
      [`${host}/f.png`]: { bytes: PNG },
    });
    expect((await read(await visited(null))).status).toBe(200);
  });

  it.each([
    ["is missing", { status: 404 }],
    ["is a page", { headers: { "Content-Type": "image/png" }, body: "<script>alert(1)</script>" }],
    ["is too large", { bytes: [...PNG, ...Array.from({ length: MAX_ICON_BYTES }, () => 0)] }],
    ["never ends", { endless: true, headers: { "Content-Type": "image/svg+xml" } }],
    ["redirects to a private host", { status: 302, headers: { Location: "https://192.168.1.1/i.png" } }],
  ])("is not shown if it %s, and is not asked for again within an hour", async (_, answer) => {
    await internet.answers({ [`${host}/i.png`]: answer });
    const id = await visited();
    for (let call = 0; call < 2; call++) {
      const { status, headers } = await read(id);
      expect([status, headers.get("Cache-Control")]).toEqual([204, "private, max-age=3600"]);
    }
    expect(await requested()).toEqual([`https://${host}/i.png`]);
  });

  it("is not asked for at hosts that are not public, or that forbid it", async () => {
    const id = await visited();
    for (const url of hostileUrls().filter((_, index) => index % 60 === 0)) {
      await env.DB.prepare("UPDATE destinations SET icon = ?1").bind(url).run();
      expect((await read(id)).status, url).toBe(204);
    }
    await internet.answers({ [`${host}/robots.txt`]: { body: "User-agent: *\nDisallow: /" } });
    expect((await read(await visited())).status).toBe(204);
    expect(await requested()).toEqual([]);
  });

  it("is not asked for while destinations are not watched, before the visit, and after a change of the URL", async () => {
    await internet.answers({ [`${host}/i.png`]: { bytes: PNG } });
    const id = await visited();
    expect((await read(id, { DESTINATION_WATCH: "off" })).status).toBe(204);
    await actFor(team, team.owner, "PATCH", `/api/links/${id}`, { url: `https://${host}/other` });
    expect((await read(id)).status).toBe(204);
    expect(await requested()).toEqual([]);
  });

  it("is for members of the account alone", async () => {
    const id = await visited();
    const [stranger, viewer] = [await makeTeam(), await join(team, "viewer")];
    const path = `/api/account/icons/${id}`;
    expect((await actFor(stranger, stranger.owner, "GET", path)).status).toBe(403);
    expect((await actFor(team, stranger.owner, "GET", path)).status).toBe(403);
    expect((await actFor(team, viewer, "GET", path)).status).toBe(204);
    expect((await actFor(team, viewer, "GET", `/api/account/icons/${team.id}`)).status).toBe(404);
  });
});
