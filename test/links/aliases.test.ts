import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/api.ts";
import { handOver } from "../support/domains.ts";
import { guess } from "../support/password.ts";
import { newService } from "../webhooks/support.ts";
import { api, DOMAIN, twoAccounts, update, URL_OK } from "./support.ts";

const { mine, theirs, create } = twoAccounts();

const locationOf = async (path: string) => (await call("GET", path)).headers.get("Location");

/** Creates a link and renames it. Its last slug is the last of `slugs`. */
async function createRenamed(slugs: string[], fields: object = {}): Promise<{ id: string }> {
  const [first, ...others] = slugs;
  const { link } = await create({ slug: first, ...fields });
  for (const slug of others) expect((await update(mine.key, link.id, { slug })).status).toBe(200);
  return link;
}

describe("the former slug of a link", () => {
  it("keeps leading to it, and follows its changes", async () => {
    const { id } = await createRenamed(["first", "Second", "third"]);
    const { link } = await update(mine.key, id, { url: `${URL_OK}new` });
    expect(link).toMatchObject({ slug: "third", aliases: ["first", "Second"] });
    for (const path of ["/third", "/FIRST", "/second"]) expect(await locationOf(path)).toBe(`${URL_OK}new`);
    await update(mine.key, id, { disabled: true });
    for (const path of ["/third", "/first", "/second"]) expect((await call("GET", path)).status).toBe(410);
    await call("DELETE", `/api/links/${id}`, { key: mine.key });
    for (const path of ["/third", "/first", "/second"]) expect((await call("GET", path)).status).toBe(404);
  });

  it("is not kept if only its case changes, and is exchanged if the link gets it back", async () => {
    const { id } = await createRenamed(["first", "FIRST"]);
    expect((await update(mine.key, id, { slug: "second" })).link.aliases).toEqual(["FIRST"]);
    const { link } = await update(mine.key, id, { slug: "first" });
    expect(link).toMatchObject({ slug: "first", aliases: ["second"] });
    for (const path of ["/first", "/second"]) expect((await call("GET", path)).status).toBe(302);
  });

  it("is taken for all other links, of every account and every kind of request", async () => {
    await createRenamed(["first", "second"]);
    const other = await create({ slug: "other" });
    for (const { key } of [mine, theirs]) {
      expect(await api(key, "POST", "/api/links", { url: URL_OK, slug: "First" })).toMatchObject({ status: 409 });
      const { results } = await api(key, "POST", "/api/links/bulk", { links: [{ url: URL_OK, slug: "first" }] });
      expect(results).toMatchObject([{ code: "conflict" }]);
    }
    expect((await api(theirs.key, "PUT", "/api/links/upsert", { url: URL_OK, slug: "first" })).status).toBe(409);
    expect(await update(mine.key, other.link.id, { slug: "first" })).toMatchObject({
      status: 409,
      details: [{ path: "slug", code: "taken", value: "first" }],
    });
    expect((await call("GET", "/other")).status).toBe(302);
  });

  it("can be removed, and is free then", async () => {
    const { id } = await createRenamed(["first", "second", "third"]);
    const removed = await update(mine.key, id, { aliases: ["FIRST"] });
    expect(removed.link.aliases).toEqual(["first"]);
    expect((await call("GET", "/second")).status).toBe(404);
    expect((await create({ slug: "second", url: `${URL_OK}2` })).status).toBe(201);
    expect(await locationOf("/second")).toBe(`${URL_OK}2`);
    const renamed = await update(mine.key, id, { slug: "fourth", aliases: [] });
    expect(renamed.link).toMatchObject({ slug: "fourth", aliases: [] });
    for (const path of ["/first", "/third"]) expect((await call("GET", path)).status).toBe(404);
  });

  it("is not invented: a request can only keep or remove aliases", async () => {
    const { id } = await createRenamed(["first", "second"]);
    const refused = await update(mine.key, id, { aliases: ["first", "more"], title: "x" });
    expect(refused).toMatchObject({ status: 400, details: [{ path: "aliases", code: "not_an_alias" }] });
    for (const changes of [{ aliases: ["second"] }, { slug: "third", aliases: ["first", "third"] }])
      expect(await update(mine.key, id, changes)).toMatchObject({
        status: 400,
        details: [{ path: "aliases", code: "not_an_alias" }],
      });
    const { link } = await api(mine.key, "GET", `/api/links/${id}`);
    expect(link).toMatchObject({ slug: "second", aliases: ["first"], title: null });
  });

  it("is refused as the eleventh alias, and none is dropped", async () => {
    const slugs = Array.from({ length: 11 }, (_, n) => `s${n}`);
    const { id } = await createRenamed(slugs);
    expect((await update(mine.key, id, { slug: "s11" })).status).toBe(409);
    expect((await update(mine.key, id, { slug: "s3" })).status).toBe(200);
    const { link } = await api(mine.key, "GET", `/api/links/${id}`);
    expect(link.aliases).toEqual(slugs.filter((slug) => slug !== "s3"));
    expect((await update(mine.key, id, { slug: "s11", aliases: slugs.slice(0, 2) })).link.aliases).toEqual([
      "s0",
      "s1",
    ]);
  });

  it("goes to one link if 40 requests compete for it", async () => {
    const { id } = await createRenamed(["first"]);
    const statuses = await Promise.all([
      update(mine.key, id, { slug: "second" }).then(({ status }) => status),
      ...Array.from({ length: 39 }, async () => (await create({ slug: "first" })).status),
    ]);
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 201)).toEqual([]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM aliases").first("n")).toBe(1);
  });

  it("has the link's password and the link's limit of visits", async () => {
    const fields = { password: "open sesame", maxClicks: 2 };
    await createRenamed(["first", "second"], fields);
    const unlocked = await guess("/first", fields.password);
    expect(unlocked.status).toBe(303);
    const headers = { Cookie: (unlocked.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
    expect((await call("GET", "/first", { headers })).status).toBe(302);
    expect((await call("GET", "/second", { headers })).status).toBe(302);
    expect((await call("GET", "/first", { headers })).status).toBe(410);
  });
});

describe("aliases at a custom domain", () => {
  it("keep their link from moving to another domain", async () => {
    const { id } = await createRenamed(["first", "second"], { domain: DOMAIN });
    expect((await update(mine.key, id, { domain: "tern.test" })).status).toBe(409);
    const moved = await update(mine.key, id, { domain: "tern.test", aliases: [] });
    expect(moved.link).toMatchObject({ domain: "tern.test", aliases: [] });
    expect((await call("GET", `https://${DOMAIN}/first`)).status).toBe(404);
  });

  it("end with the domain, and are free for its new owner", async () => {
    const { id } = await createRenamed(["first", "second", "third"], { domain: DOMAIN });
    expect((await call("GET", `https://${DOMAIN}/first`)).status).toBe(302);
    await handOver(DOMAIN, theirs.accountId);
    await (await newService()).createWebhook(mine.key, { events: ["link.update", "link.delete"] });
    const made = await create({ slug: "first", domain: DOMAIN, url: `${URL_OK}theirs` }, theirs);
    expect(made.status).toBe(201);
    expect(await locationOf(`https://${DOMAIN}/first`)).toBe(`${URL_OK}theirs`);
    const renamed = await update(theirs.key, made.link.id, { slug: "second" });
    expect(renamed).toMatchObject({ status: 200, link: { aliases: ["first"] } });
    const { link } = await api(mine.key, "GET", `/api/links/${id}`);
    expect(link).toMatchObject({ slug: "third", aliases: [] });
    expect(link.updatedAt).toBeGreaterThanOrEqual(renamed.link.updatedAt);
    const { results } = await env.DB.prepare("SELECT body FROM deliveries ORDER BY event_id").all<{ body: string }>();
    const events = results.map(({ body }) => JSON.parse(body) as unknown);
    expect(events).toMatchObject([{ data: { aliases: ["second"] } }, { event: "link.update", data: link }]);
  });
});
