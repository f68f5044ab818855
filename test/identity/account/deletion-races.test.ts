import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signUp, type Reply } from "../people/support.ts";
import { call } from "../../support/api.ts";
import { join, makeTeam } from "../teams/support.ts";
import { addKey, changesOf, copyOf, deleteOwn, personalId, restoreOwn, signIn, visit } from "./support.ts";

describe("at the same time", () => {
  it("40 deletions and restorations leave the account and its teams in one of both states", async () => {
    const person = await signUp();
    const accountId = await personalId(person);
    await makeTeam(person);
    const key = await addKey(person);
    await deleteOwn(person);
    await signIn(person);
    const replies: Promise<Reply>[] = [];
    for (let count = 0; count < 20; count++) {
      const browser = copyOf(person.browser);
      // A deletion ends the sessions.
      replies.push(restoreOwn({ ...person, browser }), deleteOwn({ ...person, browser }));
    }
    for (const { status } of await Promise.all(replies)) expect(status).toBeOneOf([200, 202, 401, 403]);
    const states = await env.DB.prepare("SELECT deleted_at, deleted_with FROM accounts ORDER BY id").all<{
      deleted_at: number | null;
      deleted_with: string | null;
    }>();
    const [own, team] = states.results;
    expect(team?.deleted_at ?? null).toBe(own?.deleted_at ?? null);
    expect(team?.deleted_with).toBe(own?.deleted_at == null ? null : person.userId);
    const isDeleted = own?.deleted_at != null;
    expect((await call("GET", "/api/links", { key })).status).toBe(isDeleted ? 403 : 200);
    // Each deletion but the last is followed by a restoration.
    for (const [index, action] of (await changesOf(accountId)).entries())
      expect(action).toBe(index % 2 === 0 ? "account.delete" : "account.restore");
  });

  it("of two owners of a team with a member, one can be deleted", async () => {
    const team = await makeTeam();
    const second = await join(team, "owner");
    await join(team, "viewer");
    const replies = await Promise.all([deleteOwn(team.owner), deleteOwn(second)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
  });

  it("links that a session creates meanwhile do not redirect", async () => {
    const person = await signUp();
    const creations = Array.from({ length: 10 }, (_, n) => {
      const browser = copyOf(person.browser);
      return browser.post("/api/links", { url: "https://example.com/", slug: `late-${n}` });
    });
    const [deleted, ...created] = await Promise.all([deleteOwn(person), ...creations]);
    expect(deleted.status).toBe(202);
    for (const [n, { status }] of created.entries()) {
      expect(status).toBeOneOf([201, 401, 403]);
      expect(await visit(`/late-${n}`)).toBe(404);
    }
  });
});
