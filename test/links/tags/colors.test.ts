import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "../../../src/limits.ts";
import type { Tag } from "../../../src/links/tags/contract.ts";
import type { Job } from "../../../src/links/tags/job-contract.ts";
import { addKey, call, createAccount, createLink } from "../../support/api.ts";
import { changeTag, taggedAccount, whileTagsHeld } from "./support.ts";

const { account, api, tagsOf, rename, remove } = taggedAccount();

describe("colours of tags", () => {
  const color = (tag: string, value: string | null) =>
    api<{ tag: Tag }>("PATCH", `/api/tags/${encodeURIComponent(tag)}`, { color: value });
  const colors = async (query = "") =>
    (await api<{ tags: Tag[] }>("GET", `/api/tags${query}`)).tags.map((tag) => [tag.name, tag.links, tag.color]);

  it("are set, changed, filtered by and removed", async () => {
    await createLink(account.key, { tags: ["Straße", "print", "sale"] });
    expect((await color("STRASSE", "teal")).tag).toEqual({ name: "Straße", links: 1, color: "teal" });
    await color("print", "red");
    await color("print", "blue");
    expect(await colors("?colored=true")).toEqual([
      ["print", 1, "blue"],
      ["Straße", 1, "teal"],
    ]);
    expect(await colors("?colored=true&prefix=s")).toEqual([["Straße", 1, "teal"]]);
    expect(await colors("?colored=false")).toEqual([["sale", 1, null]]);
    expect((await color("print", null)).tag.color).toBe(null);
    expect(await colors()).toEqual([
      ["print", 1, null],
      ["sale", 1, null],
      ["Straße", 1, "teal"],
    ]);
    expect((await color("none", "red")).status).toBe(404);
    expect((await color("print", "crimson")).status).toBe(400);
  });

  it("stay with a renamed tag, and end with a deleted one", async () => {
    await createLink(account.key, { tags: ["old", "kept", "other", "gone"] });
    for (const [tag, value] of [
      ["old", "red"],
      ["kept", "green"],
      ["gone", "pink"],
    ] as const)
      await color(tag, value);
    await rename("old", "new");
    await rename("new", "NEW");
    await remove("gone");
    expect(await colors("?colored=true")).toEqual([
      ["kept", 1, "green"],
      ["NEW", 1, "red"],
    ]);
    // A tag that is merged into one with a colour takes that.
    await rename("NEW", "kept");
    await createLink(account.key, { tags: ["old", "new", "gone"] });
    expect(await colors("?colored=true")).toEqual([["kept", 1, "green"]]);
  });

  const change = (tag: string, changes: object) =>
    changeTag(account.key, () => api<{ job: Job }>("PATCH", `/api/tags/${encodeURIComponent(tag)}`, changes));

  it("with a new name are those of the renamed tag, also where that name has another colour", async () => {
    await createLink(account.key, { tags: ["old", "other", "third"] });
    expect(await change("old", { name: "new", color: "red" })).toMatchObject({ status: 202, job: { total: 1 } });
    await color("other", "green");
    await change("new", { name: "other", color: "blue" });
    expect(await colors()).toEqual([
      ["other", 1, "blue"],
      ["third", 1, null],
    ]);
    await color("third", "pink");
    await change("third", { name: "OTHER", color: null });
    expect(await colors()).toEqual([["OTHER", 1, null]]);
    await change("other", { name: "Other", color: "gray" });
    expect(await colors()).toEqual([["Other", 1, "gray"]]);
  });

  it("are set once by a request that is repeated", async () => {
    await createLink(account.key, { tags: ["old"] });
    const first = await change("old", { name: "new", color: "red" });
    await color("new", "green");
    const again = await change("old", { name: "new", color: "red" });
    expect([again.status, again.job.id]).toEqual([202, first.job.id]);
    expect(await colors()).toEqual([["new", 1, "green"]]);
  });

  it("are set while a job renames the tag", async () => {
    await createLink(account.key, { tags: ["old"] });
    const started = await whileTagsHeld(async () => {
      const answer = await api<{ job: Job }>("PATCH", "/api/tags/old", { name: "new", color: "red" });
      expect((await color("old", "teal")).tag.color).toBe("teal");
      return answer;
    });
    await changeTag(account.key, async () => started);
    expect(await colors()).toEqual([["new", 1, "teal"]]);
  });

  it("that are set at the same time are one of both", async () => {
    await createLink(account.key, { tags: ["sale"] });
    const answers = await Promise.all([color("sale", "red"), color("sale", "blue")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [[, , stored] = []] = await colors();
    expect(["red", "blue"]).toContain(stored);
  });

  it("are refused together with the new name", async () => {
    await createLink(account.key, { tags: ["mine", "last"] });
    await createLink((await createAccount()).key, { tags: ["theirs"] });
    expect((await change("theirs", { color: "red" })).status).toBe(404);
    expect((await change("theirs", { name: "new", color: "red" })).status).toBe(404);
    expect((await change("mine", {})).status).toBe(400);
    expect((await change("mine", { name: "new", color: "crimson" })).details).toMatchObject([{ path: "color" }]);
    expect((await change("mine", { name: "", color: "red" })).details).toMatchObject([{ path: "name" }]);
    const { key: reader } = await addKey(account.accountId, ["links:read"]);
    for (const body of [{ color: "red" }, { name: "new" }, { name: "new", color: "red" }])
      expect((await call("PATCH", "/api/tags/mine", { key: reader, body })).status).toBe(403);
    expect(await colors("?colored=true")).toEqual([]);
    expect(await tagsOf()).toEqual(["last 1", "mine 1"]);
  });

  it("have a larger rate limit than new names", async () => {
    await createLink(account.key, { tags: ["sale"] });
    const send = async (body: object) => {
      const response = await call("PATCH", "/api/tags/sale", { key: account.key, body, address: "192.0.2.77" });
      return [response.status, response.headers.get("X-RateLimit-Limit")];
    };
    for (let n = 0; n < 2; n++) expect(await send({ name: "SALE" })).toEqual([202, "2"]);
    expect(await send({ name: "SALE" })).toEqual([429, "2"]);
    expect(await send({ color: "red" })).toEqual([200, "30"]);
  });

  it("are limited in number, also by parallel calls, and make room for tags that links have", async () => {
    const names = Array.from({ length: MAX_COLORED_TAGS_PER_ACCOUNT + 3 }, (_, n) => `tag-${n}`);
    const links = [];
    for (let n = 0; n < names.length; n += 20)
      links.push(await createLink(account.key, { tags: names.slice(n, n + 20) }));
    const add = `INSERT INTO tag_colors (account_id, key, color)
      SELECT account_id, key, 'red' FROM tags WHERE account_id = ?1 LIMIT ?2`;
    await env.DB.prepare(add)
      .bind(account.accountId, MAX_COLORED_TAGS_PER_ACCOUNT - 1)
      .run();
    const uncolored = (await colors("?colored=false")).map(([name]) => String(name));
    const answers = await Promise.all(uncolored.map((name) => color(name, "blue")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const colored = (await colors("?colored=true&limit=100")).map(([name]) => String(name));
    expect(colored).toHaveLength(MAX_COLORED_TAGS_PER_ACCOUNT);
    expect((await color(colored[0]!, "green")).status).toBe(200);
    const refused = uncolored.findLast((_, n) => answers[n]!.status === 409)!;
    expect(await color(refused, "blue")).toMatchObject({ status: 409, code: "limit_reached" });
    expect(await change(refused, { name: "new", color: "blue" })).toMatchObject({ status: 409, code: "limit_reached" });
    expect(await colors("?prefix=new")).toEqual([]);
    await api("DELETE", `/api/links/${links[0]!.id}`);
    expect((await color(refused, "blue")).status).toBe(200);
  });
});
