import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../../../src/platform/auth/roles.ts";
import { call, jsonOf } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import type { Reply } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "./support.ts";

beforeEach(() => internet.reset());

interface NewKey {
  id: string;
  value: string;
}

const EVENTS = ["link.create"];
const HOOK = "https://hooks.receiver.dev/in";

/** Creates something with a session in the team, or with a key. */
async function create<T = { id: string }>(team: TeamOf, by: Person | string, path: string, body: unknown): Promise<T> {
  if (typeof by !== "string") return Object.values((await actFor(team, by, "POST", path, body)).body)[0] as T;
  return Object.values(await jsonOf<Record<string, T>>(await call("POST", path, { key: by, body })))[0] as T;
}

const member = (team: TeamOf, { userId }: Person, query = "") => `/api/teams/${team.id}/members/${userId}${query}`;

const remove = (team: TeamOf, person: Person, query?: string) => team.owner.browser.delete(member(team, person, query));

const setRole = (team: TeamOf, person: Person, role: Role, endAccess?: boolean) =>
  team.owner.browser.patch(member(team, person), { role, ...(endAccess === undefined ? {} : { endAccess }) });

const statusOf = async (key: string, path = "/api/links") => (await call("GET", path, { key })).status;

const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id).toSorted();

function listsOf({ body }: Reply) {
  const lists = ["keys", "webhooks", "listeners", "sharedPages"].map((name) => [name, idsOf(body[name])] as const);
  return Object.fromEntries(lists) as Record<"keys" | "webhooks" | "listeners" | "sharedPages", string[]>;
}

/** An admin who has made something of each kind, half of it with a key of a line whose first key is revoked. */
async function plant() {
  const team = await makeTeam();
  const admin = await join(team, "admin");
  const first = await create<NewKey>(team, admin, "/api/keys", { name: "K1" });
  const second = await create<NewKey>(team, first.value, "/api/keys", { name: "K2" });
  const third = await create<NewKey>(team, second.value, "/api/keys", { name: "K3" });
  expect((await actFor(team, admin, "DELETE", `/api/keys/${first.id}`)).status).toBe(200);
  const { id: linkId } = await create(team, team.owner, "/api/links", { url: "https://example.com/", tags: ["sale"] });
  const made = {
    keys: [second.id, third.id],
    webhooks: [
      (await create(team, admin, "/api/webhooks", { url: HOOK, events: EVENTS })).id,
      (await create(team, third.value, "/api/webhooks", { url: HOOK, events: EVENTS })).id,
    ],
    listeners: [(await create(team, second.value, "/api/listeners", { events: EVENTS })).id],
    sharedPages: [
      (await create(team, admin, "/api/shared-pages", { linkId, title: "Numbers" })).id,
      (await create(team, third.value, "/api/shared-pages", { tag: "sale" })).id,
    ],
  };
  // The owner's own things, which stay.
  const own = await create<NewKey>(team, team.owner, "/api/keys", { name: "Own" });
  const ownHook = await create(team, own.value, "/api/webhooks", { url: HOOK, events: EVENTS });
  const expected = Object.fromEntries(Object.entries(made).map(([name, ids]) => [name, ids.toSorted()]));
  return { team, admin, second, third, own, ownHook, linkId, expected };
}

const NOTHING = { keys: [], webhooks: [], listeners: [], sharedPages: [] };

describe("an admin who has prepared for the time after", () => {
  it("keeps nothing after the removal, which names all that was ended; what others made stays", async () => {
    const { team, admin, second, third, own, ownHook, expected } = await plant();
    const listed = await team.owner.browser.get(`${member(team, admin)}/access`);
    const { access } = listed.body as { access: Reply["body"] };
    expect(listsOf({ ...listed, body: access })).toEqual(expected);
    const removed = await remove(team, admin);
    expect([removed.status, listsOf(removed)]).toEqual([200, expected]);
    expect(removed.body).toMatchObject({ success: true, remaining: NOTHING });
    expect(removed.body["keys"]).toContainEqual({ id: third.id, name: "K3" });
    expect(removed.body["webhooks"]).toContainEqual(expect.objectContaining({ url: "https://hooks.receiver.dev/in" }));

    expect([await statusOf(second.value), await statusOf(third.value), await statusOf(own.value)]).toEqual([
      401, 401, 200,
    ]);
    const rows = await env.DB.prepare("SELECT id FROM webhooks UNION ALL SELECT id FROM shared_pages").all<{
      id: string;
    }>();
    expect(rows.results).toEqual([{ id: ownHook.id }]);
    const { body } = await actFor(team, team.owner, "GET", "/api/account/audit?limit=8");
    const entries = body["entries"] as { action: string; targetId: string; actor: { id: string } }[];
    const ended = entries.filter(({ action }) =>
      /^(key\.revoke|webhook\.delete|listener\.delete|shared_page\.delete)$/.test(action),
    );
    expect(ended.map(({ targetId }) => targetId).toSorted()).toEqual(Object.values(expected).flat().toSorted());
    for (const { actor } of ended) expect(actor.id).toBe(team.owner.userId);
  });

  it("keeps nothing that a member may not have after the demotion, and the rest", async () => {
    const { team, admin, second, expected } = await plant();
    const demoted = await setRole(team, admin, "member");
    expect(demoted.body["member"]).toMatchObject({ role: "member" });
    expect(listsOf(demoted)).toEqual({ ...expected, sharedPages: [] });
    expect(idsOf((demoted.body["remaining"] as Reply["body"])["sharedPages"])).toEqual(expected["sharedPages"]);
    expect(await statusOf(second.value)).toBe(401);
    const lower = await setRole(team, admin, "viewer");
    expect(listsOf(lower)).toEqual({ ...NOTHING, sharedPages: expected["sharedPages"] });
  });

  it("loses nothing by another role that may have the same", async () => {
    const { team, admin, second } = await plant();
    for (const role of ["owner", "admin"] as const) expect(listsOf(await setRole(team, admin, role))).toEqual(NOTHING);
    expect(await statusOf(second.value)).toBe(200);
  });

  it("keeps what another member wants to keep; its keys make no further keys", async () => {
    const { team, admin, second, expected } = await plant();
    const kept = await setRole(team, admin, "viewer", false);
    expect(listsOf(kept)).toEqual(NOTHING);
    expect(listsOf({ ...kept, body: kept.body["remaining"] as Reply["body"] })).toEqual(expected);
    expect(await statusOf(second.value)).toBe(200);
    const further = await call("POST", "/api/keys", { key: second.value, body: { name: "K4" } });
    expect([further.status, await further.json()]).toMatchObject([403, { details: [{ code: "key_lacks_maker" }] }]);
    const narrow = await create<NewKey>(team, team.owner, "/api/keys", { name: "N", permissions: ["links:read"] });
    const wider = { permissions: ["links:read", "keys:write"] };
    expect((await call("PATCH", `/api/keys/${narrow.id}`, { key: second.value, body: wider })).status).toBe(409);
    // The removal of a former member's keys goes on being possible.
    const removed = await remove(team, admin, "?endAccess=false");
    expect(listsOf(removed)).toEqual(NOTHING);
    expect(await statusOf(second.value)).toBe(200);
    expect((await call("POST", "/api/keys", { key: second.value, body: { name: "K5" } })).status).toBe(403);
  });

  it("cannot decide to keep it by leaving or stepping down", async () => {
    const { team, admin, second, expected } = await plant();
    expect((await admin.browser.delete(member(team, admin, "?endAccess=false"))).status).toBe(403);
    const down = await admin.browser.patch(member(team, admin), { role: "viewer", endAccess: false });
    expect(down.status).toBe(403);
    expect(await statusOf(second.value)).toBe(200);
    const left = await admin.browser.delete(member(team, admin));
    expect(listsOf(left)).toEqual(expected);
    expect(await statusOf(second.value)).toBe(401);
  });

  it("does not keep a webhook of another member that was pointed elsewhere", async () => {
    const { team, admin, ownHook, expected } = await plant();
    const url = { url: "https://thief.receiver.dev/in" };
    expect((await actFor(team, admin, "PATCH", `/api/webhooks/${ownHook.id}`, url)).status).toBe(200);
    const removed = await remove(team, admin);
    expect(listsOf(removed)["webhooks"]).toEqual([...(expected["webhooks"] ?? []), ownHook.id].toSorted());
  });
});

describe("what a key of the removed admin does at the same time", () => {
  it.each([
    ["a key", "INSERT INTO api_keys", "/api/keys", { name: "Late" }],
    ["a webhook", "INSERT INTO webhooks", "/api/webhooks", { url: HOOK, events: EVENTS }],
    ["a listener", "INSERT INTO webhooks", "/api/listeners", { events: EVENTS }],
    ["a shared page", "INSERT INTO shared_pages", "/api/shared-pages", { tag: "sale" }],
  ])("leaves %s neither before nor after the removal", async (_, statement, path, body) => {
    const { team, admin, third, expected } = await plant();
    let hasRun = false;
    let status = 0;
    await interceptD1(
      async (sql, send) => {
        // The key was read already, and is revoked before its change.
        if (!hasRun && String(sql).includes(statement)) {
          hasRun = true;
          expect(listsOf(await remove(team, admin))).toEqual(expected);
        }
        return send();
      },
      async () => {
        ({ status } = await call("POST", path, { key: third.value, body }));
      },
    );
    expect([hasRun, [401, 403].includes(status)]).toEqual([true, true]);
    await expectNothingOf(admin);
  });

  it("leaves nothing in a race without order", async () => {
    const { team, admin, second, third } = await plant();
    const late = ["/api/keys", "/api/webhooks", "/api/shared-pages"].flatMap((path) =>
      [second, third].map(({ value }) =>
        call("POST", path, {
          key: value,
          body:
            path === "/api/keys"
              ? { name: "Late" }
              : path === "/api/webhooks"
                ? { url: HOOK, events: EVENTS }
                : { tag: "sale" },
        }),
      ),
    );
    const [removed] = await Promise.all([remove(team, admin), ...late]);
    expect(removed.status).toBe(200);
    await expectNothingOf(admin);
  });
});

async function expectNothingOf({ userId }: Person) {
  const own =
    "(created_by_user = ?1 OR created_by_key IN (SELECT line.id FROM api_keys line WHERE line.descends_from = ?1))";
  const left = await env.DB.prepare(
    `SELECT id FROM api_keys WHERE descends_from = ?1 AND revoked_at IS NULL
     UNION ALL SELECT id FROM webhooks WHERE ${own} UNION ALL SELECT id FROM shared_pages WHERE ${own}`,
  )
    .bind(userId)
    .all();
  expect(left.results).toEqual([]);
}

it("only who may change members, and oneself, sees what a member made", async () => {
  const { team, admin, expected } = await plant();
  const viewer = await join(team, "viewer");
  const path = `${member(team, admin)}/access`;
  expect((await viewer.browser.get(path)).status).toBe(403);
  const own = await admin.browser.get(path);
  expect(listsOf({ ...own, body: own.body["access"] as Reply["body"] })).toEqual(expected);
  const none = await viewer.browser.get(`${member(team, viewer)}/access`);
  expect(none.body["access"]).toEqual(NOTHING);
});
