import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { generateEncryptionKey } from "../../../src/platform/lib/encryption.ts";
import type { Link } from "../../../src/links/contract.ts";
import { MAX_BULK_LINKS, MAX_RULES_PER_LINK } from "../../../src/links/limits.ts";
import { toUpdateRequest, updateLinks } from "../../../src/links/update.ts";
import { MAX_BODY_BYTES } from "../../../src/limits.ts";
import { jobContext } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { guessWith, PASSWORD } from "../../support/password.ts";
import { accountId, key, startService } from "../../webhooks/support.ts";
import { api, change, interleave, listen, rowOf, storedEvents } from "../races-support.ts";
import { DOMAIN, URL_OK } from "../support.ts";

beforeEach(startService);

async function createLinks(count: number, fields: object = {}): Promise<Link[]> {
  const links = Array.from({ length: count }, (_, n) => ({ url: `${URL_OK}${n}`, slug: `many-${n}`, ...fields }));
  const { results } = await api(key, "POST", "/api/links/bulk", { links });
  return results.map(({ link }) => link);
}

const changeAll = (links: readonly Link[], changes: object) =>
  api(key, "PATCH", "/api/links/bulk", { ids: links.map(({ id }) => id), changes });

/** Moves the links to a domain. Returns for each the domain that it has then, or why it was not moved. */
async function moveAll(links: readonly Link[], domain: string): Promise<string[]> {
  const context = { ...jobContext(Date.now()), principal: { accountId } };
  const request = toUpdateRequest({ domain }, context);
  const { outcomes } = await updateLinks(
    context,
    links.map(({ id }) => id),
    request,
  );
  return links.map(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome?.ok === true ? outcome.row.domain : (outcome?.reason ?? "none");
  });
}

/** The most targets, so that the body of the request for these links has almost {@link MAX_BODY_BYTES}. */
function largestTargets(links: readonly Link[]) {
  const ids = links.map(({ id }) => id);
  const targets = (chars: number) => ({
    geo: Object.fromEntries(["DE", "FR", "AT"].map((country) => [country, `${URL_OK}${"g".repeat(chars)}`])),
    rules: Array.from({ length: MAX_RULES_PER_LINK }, (_, n) => ({
      countries: ["DE"],
      url: `${URL_OK}"quoted"-${n}-${"ü".repeat(chars / 6)}`,
    })),
  });
  const bytesOf = (changes: object) => new TextEncoder().encode(JSON.stringify({ ids, changes })).byteLength;
  let chars = 6;
  while (bytesOf(targets(chars + 6)) < MAX_BODY_BYTES) chars += 6;
  return { targets: targets(chars), bytes: bytesOf(targets(chars)) };
}

describe("100 links with the largest targets", () => {
  it("are changed at once, and the one that was changed meanwhile alone is tried again", async () => {
    const links = await createLinks(MAX_BULK_LINKS);
    await listen(key);
    const { targets, bytes } = largestTargets(links);
    expect(bytes).toBeGreaterThan(0.98 * MAX_BODY_BYTES);
    const raced = links[42] as Link;
    const { answer, writes } = await interleave(
      () => change(key, raced.id, { title: "Other" }),
      () => changeAll(links, targets),
    );
    expect(answer.status).toBe(200);
    // All are written once, in one or several transactions.
    expect([writes.reduce((sum, links) => sum + links, 0), writes.at(-1)]).toEqual([MAX_BULK_LINKS + 1, 1]);
    const changed = answer.results.map(({ link }) => link);
    expect(changed.map(({ id }) => id)).toEqual(links.map(({ id }) => id));
    for (const { id, title, geo, rules } of changed) {
      expect(title).toBe(id === raced.id ? "Other" : null);
      expect(Object.keys(geo)).toHaveLength(3);
      expect(rules).toHaveLength(MAX_RULES_PER_LINK);
    }
    const events = (await storedEvents()).map(({ data }) => data);
    expect(events).toHaveLength(MAX_BULK_LINKS + 1);
    expect(events.filter(({ id }) => id === raced.id)).toMatchObject([
      { title: "Other", rules: [] },
      { title: "Other" },
    ]);
    const byId = new Map(events.map((link) => [link.id, link]));
    expect(changed.map(({ id }) => byId.get(id))).toEqual(changed);
    for (const { id } of [links[0], raced, links[99]] as Link[])
      expect((await api(key, "GET", `/api/links/${id}`)).link).toEqual(byId.get(id));
  });
});

describe("links of which some are changed meanwhile", () => {
  it("are written once each, with the version that each of them has", async () => {
    const links = await createLinks(10);
    await listen(key);
    const raced = links.filter((_, n) => n % 3 === 0);
    const { answer, writes } = await interleave(
      () => changeAll(raced, { title: "Other" }),
      () => changeAll(links, { addTags: ["sale"] }),
    );
    expect(writes).toEqual([10, raced.length]);
    expect(answer.results).toMatchObject(
      links.map((link) => ({
        link: { id: link.id, tags: ["sale"], title: raced.includes(link) ? "Other" : null },
      })),
    );
    expect(await storedEvents()).toHaveLength(10 + raced.length);
  });

  it("that are deleted or have too many tags by then are refused alone", async () => {
    const links = await createLinks(3);
    await listen(key);
    const tags = Array.from({ length: 20 }, (_, n) => `tag-${n}`);
    const { answer, writes } = await interleave(
      async () => {
        await api(key, "DELETE", `/api/links/${links[0]?.id}`);
        await change(key, links[1]?.id ?? "", { tags });
      },
      () => changeAll(links, { addTags: ["sale"] }),
    );
    expect(writes).toEqual([3]);
    expect(answer.results).toMatchObject([
      { code: "not_found" },
      { details: [{ code: "too_many_tags" }] },
      { link: { tags: ["sale"] } },
    ]);
    expect((await storedEvents()).map(({ data }) => data.tags)).toEqual(expect.arrayContaining([["sale"], tags]));
  });

  it("and one whose slug is taken at the new domain leave the others their change", async () => {
    await insertDomain(accountId, DOMAIN);
    const links = await createLinks(3);
    await listen(key);
    const { answer, writes } = await interleave(
      () => api(key, "POST", "/api/links", { url: URL_OK, slug: "many-1", domain: DOMAIN }),
      () => moveAll(links, DOMAIN),
    );
    expect(answer).toEqual([DOMAIN, "slug_taken", DOMAIN]);
    // The transaction fails, so all of them are tried again. Only those that can move are written then.
    expect(writes).toEqual([3, 2]);
    expect((await rowOf(links[1]?.id ?? "")).domain).toBe("");
    expect(await storedEvents()).toHaveLength(2);
  });

  it("move to a domain one after the other if they would get the same short URL", async () => {
    for (const domain of [DOMAIN, "one.example", "two.example"]) await insertDomain(accountId, domain);
    const fields = ["one.example", "two.example"].map((domain) => ({ url: URL_OK, slug: "same", domain }));
    const { results } = await api(key, "POST", "/api/links/bulk", { links: fields });
    await listen(key);
    expect(
      await moveAll(
        results.map(({ link }) => link),
        DOMAIN,
      ),
    ).toEqual([DOMAIN, "slug_taken"]);
    expect(await storedEvents()).toHaveLength(1);
  });

  it("keep a password that is stored anew, if the change sets that of others", async () => {
    const links = await createLinks(2);
    const [, protectedLink] = links as [Link, Link];
    await change(key, protectedLink.id, { password: PASSWORD });
    await listen(key);
    const all = `${generateEncryptionKey("next")},${env.ENCRYPTION_KEYS}`;
    const hashOf = async () => (await rowOf(protectedLink.id)).password_hash;
    let stored = await hashOf();
    const { answer, writes } = await interleave(
      async () => {
        await guessWith("/many-1", PASSWORD, { ENCRYPTION_KEYS: all });
        stored = await hashOf();
      },
      () => changeAll(links, { password: PASSWORD, title: "New" }),
    );
    expect(stored).toMatch(/^next\./);
    expect(writes).toEqual([2]);
    expect(answer.results).toMatchObject(links.map(() => ({ link: { title: "New", hasPassword: true } })));
    expect(await hashOf()).toBe(stored);
  });
});
