import { describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { addUtm } from "../../src/links/utm.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { SOME_ID, update } from "./support.ts";

describe("a campaign in a URL", () => {
  it.each([
    ["https://example.com", { source: "a" }, "https://example.com?utm_source=a"],
    ["https://example.com/", { source: "a", medium: "b" }, "https://example.com/?utm_source=a&utm_medium=b"],
    ["https://example.com/?", { source: "a" }, "https://example.com/?utm_source=a"],
    ["https://example.com/?b=2&a=%20+1", { term: "t" }, "https://example.com/?b=2&a=%20+1&utm_term=t"],
    ["https://example.com/?a=1&", { term: "t" }, "https://example.com/?a=1&utm_term=t"],
    ["https://example.com/?&&a", { term: "t" }, "https://example.com/?&&a&utm_term=t"],
    ["https://example.com/#top", { source: "a" }, "https://example.com/?utm_source=a#top"],
    ["https://example.com/#/route?x=1#y", { source: "a" }, "https://example.com/?utm_source=a#/route?x=1#y"],
    ["https://example.com/?a=1?b#c", { source: "a" }, "https://example.com/?a=1?b&utm_source=a#c"],
    [
      "https://example.com/?utm_source=old&x=1&utm_medium=m#f",
      { source: "new" },
      "https://example.com/?utm_source=new&x=1&utm_medium=m#f",
    ],
    [
      "https://example.com/?utm_source=1&x=1&utm_source=2&utm%5Fsource=3",
      { source: "new" },
      "https://example.com/?utm_source=new&x=1",
    ],
    ["https://example.com/?utm_source", { source: "new" }, "https://example.com/?utm_source=new"],
    [
      "https://example.com/?%zz=1&utm_sourcee=2",
      { source: "a" },
      "https://example.com/?%zz=1&utm_sourcee=2&utm_source=a",
    ],
    [
      "https://example.com/",
      { campaign: "Frühling & Co = 100% #1 + ?" },
      "https://example.com/?utm_campaign=Fr%C3%BChling%20%26%20Co%20%3D%20100%25%20%231%20%2B%20%3F",
    ],
  ])("of %s with %j", (url, utm, expected) => {
    expect(addUtm(url, utm)).toBe(expected);
  });
});

const UTM = { source: "newsletter", medium: "email", campaign: "spring", term: "shoes", content: "top" };
const QUERY = "utm_source=newsletter&utm_medium=email&utm_campaign=spring&utm_term=shoes&utm_content=top";

describe("a link's campaign", () => {
  it("is merged into its URL only, in the response and for visitors", async () => {
    const { key } = await createAccount();
    const rules = [{ id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", devices: ["mobile"], url: "https://example.com/m" }];
    const link = await createLink(key, { url: "https://example.com/?a=1#f", utm: UTM, rules, slug: "utm" });
    expect(link).toMatchObject({ url: `https://example.com/?a=1&${QUERY}#f`, rules });
    expect(link).not.toHaveProperty("utm");
    expect((await call("GET", "/utm")).headers.get("Location")).toBe(link.url);
  });

  it("is merged into the present URL if an update has no URL", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key, { url: "https://example.com/?a=1", utm: UTM });
    const changed = await update(key, id, { utm: { source: "flyer" }, title: "New" });
    expect(changed.link).toMatchObject({
      url: `https://example.com/?a=1&${QUERY.replace("newsletter", "flyer")}`,
      title: "New",
    });
    const { link } = await update(key, id, { url: "https://example.com/b", utm: { term: "t" } });
    expect(link.url).toBe("https://example.com/b?utm_term=t");
  });

  it("is complete after concurrent updates of its parts", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key, { url: "https://example.com/" });
    const responses = await Promise.all(
      Object.entries(UTM).map(([name, value]) => update(key, id, { utm: { [name]: value } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { link } = await jsonOf<{ link: Link }>(await call("GET", `/api/links/${id}`, { key }));
    expect(new URL(link.url).search.slice(1).split("&").sort()).toEqual(QUERY.split("&").sort());
  });

  it("is merged into the URL of each link of a bulk request", async () => {
    const { key } = await createAccount();
    const links = [
      { url: "https://example.com/1", utm: { source: "a" } },
      { url: "https://example.com/2?x" },
      { url: "https://example.com/".padEnd(8_190, "x") },
    ];
    const created = await jsonOf<{ results: { link: Link }[] }>(
      await call("POST", "/api/links/bulk", { key, body: { links } }),
    );
    expect(created.results[0]?.link.url).toBe("https://example.com/1?utm_source=a");
    const ids = created.results.map(({ link }) => link.id);
    const other = await createLink((await createAccount()).key);
    const body = { ids: [...ids, other.id], changes: { utm: { source: "b", medium: "m" } } };
    const { results } = await jsonOf<{ results: ({ link: Link } & ErrorJson)[] }>(
      await call("PATCH", "/api/links/bulk", { key, body }),
    );
    expect(results.map(({ link, code }) => link?.url ?? code)).toEqual([
      "https://example.com/1?utm_source=b&utm_medium=m",
      "https://example.com/2?x&utm_source=b&utm_medium=m",
      "invalid_request",
      "forbidden",
    ]);
    const { link } = await jsonOf<{ link: Link }>(await call("GET", `/api/links/${ids[0]}`, { key }));
    expect(link).toEqual(results[0]?.link);
  });

  it("is complete after concurrent bulk updates", async () => {
    const { key } = await createAccount();
    const ids = [(await createLink(key)).id, (await createLink(key)).id];
    await Promise.all(
      Object.entries(UTM).map(([name, value]) =>
        call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { utm: { [name]: value } } } }),
      ),
    );
    const { links } = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }));
    for (const { url } of links)
      expect(new URL(url).search.slice(1).split("&").sort()).toEqual(QUERY.split("&").sort());
  });

  it("is refused for a link that does not exist or belongs to another account", async () => {
    const { key } = await createAccount();
    const other = await createLink((await createAccount()).key);
    expect((await update(key, other.id, { utm: UTM })).status).toBe(403);
    expect((await update(key, SOME_ID, { utm: UTM })).status).toBe(404);
  });

  it.each([
    ["no parameter", {}, "utm"],
    ["null", null, "utm"],
    ["a list", [], "utm"],
    ["a misspelt parameter", { sorce: "a" }, "utm.sorce"],
    ["an empty value", { source: " " }, "utm.source"],
    ["a number", { source: 1 }, "utm.source"],
    ["256 characters", { source: "x".repeat(256) }, "utm.source"],
    ["a line break", { source: "a\nb" }, "utm.source"],
    ["broken Unicode", { source: "\ud800" }, "utm.source"],
  ])("is refused with %s", async (_, utm, path) => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    const create = await call("POST", "/api/links", { key, body: { url: "https://example.com/", utm } });
    expect(create.status).toBe(400);
    expect((await jsonOf<ErrorJson>(create)).details?.[0]?.path).toBe(path);
    expect((await update(key, id, { utm })).details?.[0]?.path).toBe(path);
  });

  it("is refused if it makes the URL too long", async () => {
    const { key } = await createAccount();
    const url = "https://example.com/".padEnd(8_180, "x");
    const create = await call("POST", "/api/links", { key, body: { url, utm: { source: "é" } } });
    expect(await jsonOf<ErrorJson>(create)).toMatchObject({ code: "invalid_request", details: [{ path: "utm" }] });
    const link = await createLink(key, { url });
    expect(await update(key, link.id, { utm: { source: "é" } })).toMatchObject({
      status: 400,
      details: [{ path: "utm" }],
    });
  });
});
