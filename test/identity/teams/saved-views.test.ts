import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { SavedView } from "#src/links/views/contract.ts";
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS } from "#src/links/views/limits.ts";
import { call, createAccount } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "./support.ts";

const PATH = "/api/account/views";
const FIELDS = { kind: "links", name: "Broken", query: "destination=broken" };

let team: TeamOf;
let member: Person;
let viewer: Person;

beforeEach(async () => {
  await internet.reset();
  team = await makeTeam();
  member = await join(team, "member");
  viewer = await join(team, "viewer");
});

const ask = (person: Person, method: string, path = "", body?: object) =>
  actFor(team, person, method, `${PATH}${path}`, body);

async function save(person: Person, fields: object = {}): Promise<SavedView> {
  const { status, body } = await ask(person, "POST", "", { ...FIELDS, ...fields });
  expect([status, body]).toEqual([201, body]);
  return body["view"] as SavedView;
}

const listOf = async (person: Person, query = "") => (await ask(person, "GET", query)).body["views"] as SavedView[];
const namesOf = async (person: Person, query = "") => (await listOf(person, query)).map(({ name }) => name);

it("keeps a person's views for them alone, also those of viewers, until they are shared", async () => {
  const own = await save(viewer, { name: "Mine" });
  const made = await save(member);
  await save(member, { kind: "analytics", query: "interval=7d" });
  expect(await namesOf(viewer)).toEqual(["Mine"]);
  expect(await namesOf(member)).toEqual(["Broken", "Broken"]);
  expect(await namesOf(member, "?kind=analytics&limit=1")).toEqual(["Broken"]);
  for (const method of ["PATCH", "DELETE"])
    expect((await ask(member, method, `/${own.id}`, method === "PATCH" ? { name: "x" } : undefined)).status).toBe(404);
  expect(await ask(member, "POST", "", { ...FIELDS, name: "BROKEN" })).toMatchObject({
    status: 409,
    body: { details: [{ path: "name", code: "taken", value: "BROKEN" }] },
  });

  const shared = await ask(member, "PATCH", `/${made.id}`, { shared: true, name: "Broken ones" });
  expect(shared.body["view"]).toMatchObject({ ...FIELDS, id: made.id, name: "Broken ones", shared: true });
  expect(await listOf(viewer)).toContainEqual(shared.body["view"]);
  expect((await ask(member, "PATCH", `/${made.id}`, { name: "Broken ones" })).body).toEqual(shared.body);
});

it("lets those who may change links change what is shared, and nobody else", async () => {
  const { id } = await save(team.owner, { name: "For all", shared: true });
  expect((await ask(viewer, "POST", "", { ...FIELDS, shared: true })).status).toBe(403);
  const own = await save(viewer, { name: "Own" });
  expect((await ask(viewer, "PATCH", `/${own.id}`, { shared: true })).status).toBe(403);
  expect((await ask(viewer, "PATCH", `/${id}`, { query: "search=all" })).status).toBe(403);
  expect((await ask(viewer, "PATCH", `/${id}`, { shared: false })).status).toBe(403);
  expect((await ask(viewer, "DELETE", `/${id}`)).status).toBe(403);
  expect((await listOf(viewer)).find((view) => view.id === id)?.query).toBe(FIELDS.query);

  // A member takes it, and is then the only one who has it.
  expect((await ask(member, "PATCH", `/${id}`, { shared: false })).status).toBe(200);
  expect(await namesOf(team.owner)).not.toContain("For all");
  expect((await ask(team.owner, "DELETE", `/${id}`)).status).toBe(404);
  expect((await ask(member, "DELETE", `/${id}`)).status).toBe(200);
  expect(await namesOf(member)).not.toContain("For all");
});

it("belongs to sessions and to one account", async () => {
  const { id } = await save(member, { name: "Here", shared: true });
  const { key } = await createAccount();
  expect((await call("GET", PATH, { key })).status).toBe(401);
  expect((await member.browser.get(PATH)).body["views"]).toEqual([]);
  expect((await member.browser.send("DELETE", `${PATH}/${id}`)).status).toBe(404);
});

it("has bounds for the views of a person and for those that are shared", async () => {
  const crowd = await makeTeam(team.owner);
  const post = (fields: object) => actFor(crowd, crowd.owner, "POST", PATH, { ...FIELDS, ...fields });
  const { accountId } = (await env.DB.prepare("SELECT id AS accountId FROM accounts WHERE uuid = ?1")
    .bind(crowd.id)
    .first<{ accountId: number }>()) ?? { accountId: 0 };
  const fill = (userId: string, amount: number) =>
    env.DB.prepare(
      `INSERT INTO saved_views (id, account_id, user_id, kind, name, name_key, query, created_at, updated_at)
       SELECT ?2 || value, ?1, ?2, 'links', value, value, 'search=abc', 0, 0 FROM json_each(?3)`,
    )
      .bind(accountId, userId, JSON.stringify(Array.from({ length: amount }, (_, n) => n)))
      .run();
  await fill(crowd.owner.userId, MAX_OWN_VIEWS - 1);
  const last = await post({});
  expect(last.status).toBe(201);
  const { id } = last.body["view"] as SavedView;
  expect(await post({ name: "One more" })).toMatchObject({
    status: 409,
    body: { code: "limit_reached", details: [{ code: "limit_reached", resource: "view", max: MAX_OWN_VIEWS }] },
  });
  await fill("", MAX_SHARED_VIEWS);
  const share = await actFor(crowd, crowd.owner, "PATCH", `${PATH}/${id}`, { shared: true });
  expect(share).toMatchObject({
    status: 409,
    body: {
      code: "limit_reached",
      details: [{ code: "limit_reached", resource: "shared_view", max: MAX_SHARED_VIEWS }],
    },
  });
});

it("deletes the views of a person who leaves, and keeps those that are shared", async () => {
  const leaver = await join(team, "member");
  await save(leaver, { name: "Private" });
  await save(leaver, { name: "Kept", shared: true });
  const left = await leaver.browser.send("DELETE", `/api/teams/${team.id}/members/${leaver.userId}?endAccess=true`);
  expect([left.status, left.body]).toEqual([200, left.body]);
  const { results } = await env.DB.prepare("SELECT name FROM saved_views WHERE user_id = ?1").bind(leaver.userId).all();
  expect(results).toEqual([]);
  expect(await namesOf(viewer)).toContain("Kept");
});
