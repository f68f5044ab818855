import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import type { Links } from "../../src/links/list-contract.ts";
import { MAX_FILTER_CREATORS } from "../../src/links/limits.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "../identity/teams/support.ts";

const URL_OF = "https://example.com/";

async function createdBy(team: TeamOf, person: Person, slug: string): Promise<Link> {
  const reply = await actFor(team, person, "POST", "/api/links", { url: URL_OF, slug });
  expect(reply.status).toBe(201);
  return reply.body["link"] as Link;
}

const slugsOf = ({ links }: Links) => links.map(({ slug }) => slug).toSorted();

async function listed(team: TeamOf, query: string): Promise<Links> {
  const [first, again] = await Promise.all(
    ["createdAt", "clicks"].map((sort) =>
      actFor(team, team.owner, "GET", `/api/links?${query}&creators=true&count=true&sort=${sort}`),
    ),
  );
  const [list, sorted] = [first, again].map((reply) => reply?.body as unknown as Links) as [Links, Links];
  expect(slugsOf(sorted)).toEqual(slugsOf(list));
  return list;
}

it("the creator of a link is a person or a key, and links are listed by it", async () => {
  const team = await makeTeam();
  const member = await join(team, "member");
  const reply = await actFor(team, team.owner, "POST", "/api/keys", { name: "Robot" });
  const { id: keyId, value: key } = reply.body["key"] as { id: string; value: string };
  const [ofOwner, ofMember] = [await createdBy(team, team.owner, "own"), await createdBy(team, member, "theirs")];
  const ofKey = await createLink(key, { url: URL_OF, slug: "by-key" });
  const { userId: owner } = team.owner;
  expect([ofOwner, ofMember, ofKey].map((link) => link.createdBy)).toEqual([
    { type: "user", id: owner },
    { type: "user", id: member.userId },
    { type: "key", id: keyId },
  ]);
  // A change by another does not change it.
  await call("PATCH", `/api/links/${ofMember.id}`, { key, body: { title: "Changed" } });

  const slugs = async (query: string) => slugsOf(await listed(team, query));
  expect(await slugs(`createdBy=${member.userId}`)).toEqual(["theirs"]);
  expect(await slugs(`createdBy=${member.userId.toUpperCase()}&createdBy=${keyId}`)).toEqual(["by-key", "theirs"]);
  expect(await slugs(`createdBy=!${member.userId}`)).toEqual(["by-key", "own"]);
  expect(await slugs(`createdBy=!${member.userId}&createdBy=!${keyId}`)).toEqual(["own"]);
  expect(await slugs(`createdBy=${owner}&createdBy=${keyId}&createdBy=!${owner}`)).toEqual(["by-key"]);
  expect(await slugs(`createdBy=!${owner}&search=changed&status=active&archived=include`)).toEqual(["theirs"]);
  expect(await slugs(`createdBy=${owner}&domain=tern.test&status=!disabled`)).toEqual(["own"]);
  expect(await slugs(`createdBy=!${owner}&destination=broken`)).toEqual([]);
  expect(await slugs(`createdBy=${newId(Date.now())}`)).toEqual([]);

  expect(await slugs("createdBy=me")).toEqual(["own"]);
  expect(await slugs("createdBy=!Me")).toEqual(["by-key", "theirs"]);
  const ofCaller = await jsonOf<Links>(await call("GET", "/api/links?createdBy=me", { key }));
  expect(slugsOf(ofCaller)).toEqual(["by-key"]);

  const bad = ["createdBy=you", "createdBy=!", `createdBy=${owner}&createdBy=!${owner}`];
  const many = Array.from({ length: MAX_FILTER_CREATORS + 1 }, (_, n) => `createdBy=${newId(n)}`).join("&");
  for (const query of [...bad, many])
    expect([query, (await actFor(team, team.owner, "GET", `/api/links?${query}`)).status]).toEqual([query, 400]);

  // The links of a person in one account are not found by another account of the person.
  const other = await makeTeam(team.owner);
  expect((await listed(other, `createdBy=${owner}`)).links).toEqual([]);
});

it("lists name who created their links, also who left, but no deleted person", async () => {
  const team = await makeTeam();
  const member = await join(team, "member");
  await createdBy(team, team.owner, "a");
  const { id } = await createdBy(team, member, "b");
  await actFor(team, team.owner, "DELETE", `/api/teams/${team.id}/members/${member.userId}`);
  const named = async (query = "") => (await listed(team, `archived=exclude${query}`)).creators ?? [];
  const left = { type: "user", id: member.userId, name: "Ann Lee" };
  expect(await named()).toHaveLength(2);
  expect(await named()).toContainEqual(left);
  expect(await named(`&createdBy=${member.userId}`)).toEqual([left]);

  await env.DB.prepare("UPDATE users SET name = 'Ann Ray' WHERE id = ?1").bind(member.userId).run();
  expect(await named()).toContainEqual({ ...left, name: "Ann Ray" });
  await actFor(team, team.owner, "DELETE", `/api/links/${id}`);
  const reply = await actFor(team, team.owner, "GET", "/api/links?deleted=only&creators=true");
  expect(reply.body["creators"]).toEqual([{ ...left, name: "Ann Ray" }]);
  await actFor(team, team.owner, "POST", `/api/links/${id}/restore`);
  expect((await listed(team, `createdBy=${member.userId}`)).links.map((link) => link.id)).toEqual([id]);

  const gone = newId(Date.now());
  await env.DB.prepare("UPDATE links SET created_by_user = ?2 WHERE id = ?1").bind(id, gone).run();
  expect(await named()).toContainEqual({ type: "user", id: gone, name: null });
});

it("a list by creators reads only the links of the page at every size of the account", async () => {
  const { key, accountId } = await createAccount();
  const ids = [newId(Date.now()), newId(Date.now() + 1)] as const;
  const queries = [`createdBy=${ids[0]}`, `createdBy=${ids[0]}&createdBy=${ids[1]}`, `createdBy=!${ids[0]}`];
  for (const count of [500, 2_500]) {
    await insertManyLinks(env.DB, accountId, count);
    await env.DB.batch(
      ids.map((id, n) =>
        env.DB.prepare("UPDATE links SET created_by_user = ?2 WHERE account_id = ?1 AND seq / 2097152 % 4 = ?3").bind(
          accountId,
          id,
          n,
        ),
      ),
    );
    await env.DB.exec("INSERT INTO links_fts (links_fts) VALUES ('rebuild')");
    for (const query of queries) {
      const cost = await measureD1(async () => {
        const { links } = await jsonOf<Links>(await call("GET", `/api/links?limit=10&${query}`, { key }));
        expect(links).toHaveLength(10);
      });
      expect([query, cost.rowsRead]).toEqual([query, expect.toSatisfy((rows: number) => rows <= 1 + 2 * 11)]);
    }
  }
  const plain = await measureD1(() => call("GET", "/api/links?limit=10", { key }));
  const named = await measureD1(() => call("GET", "/api/links?limit=10&creators=true", { key }));
  // Each of the two creators, and the elements of the list of them.
  expect(named.rowsRead - plain.rowsRead).toBeLessThanOrEqual(4);
});
