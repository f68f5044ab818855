import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { AUDIT_FILE_PAGE_ENTRIES, MAX_SEARCHED_ENTRIES } from "../../../src/access/audit/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "../../identity/teams/support.ts";

interface Entry {
  id: string;
  action: string;
  createdAt: number;
}

const TODAY = Date.UTC(2026, 8, 22);
const KEY = newId(TODAY);

let team: TeamOf;
let admin: Person;
beforeEach(async () => {
  team = await makeTeam();
  admin = await join(team, "admin");
});

const read = (query: string, person = admin) => actFor(team, person, "GET", `/api/account/audit?${query}`);
const actionsOf = async (query: string) => ((await read(query)).body["entries"] as Entry[]).map(({ action }) => action);

const accountId = () => env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<number>("id");

async function insertEntry(at: number, action: string, actor: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, created_at, target_name)
     VALUES (?1, ?2, 'user', ?3, ?4, ?5, '=1+1')`,
  )
    .bind(newId(at), await accountId(), actor, action, at)
    .run();
}

it("finds entries by action, kind, person and key, in any combination", async () => {
  await insertEntry(TODAY, "key.create", KEY);
  await insertEntry(TODAY + 1, "key.update", admin.userId);
  await insertEntry(TODAY + 2, "domain.add", KEY);
  expect((await actionsOf("action=key")).toSorted()).toEqual(["key.create", "key.update"]);
  expect(await actionsOf("action=key.create")).toEqual(["key.create"]);
  expect((await actionsOf("action=domain&action=key.update")).toSorted()).toEqual(["domain.add", "key.update"]);
  expect((await actionsOf(`actor=${KEY.toUpperCase()}`)).toSorted()).toEqual(["domain.add", "key.create"]);
  expect(await actionsOf(`actor=${KEY}&action=key`)).toEqual(["key.create"]);
  expect(await actionsOf(`actor=${admin.userId}&action=member`)).toEqual(["member.add"]);
  for (const wrong of ["keys", "key.", "key.*", "link.create"]) {
    const refused = await read(`action=${wrong}`);
    expect(refused.status, wrong).toBe(400);
    expect(refused.body).toMatchObject({ details: [{ path: "action" }] });
  }
});

it("finds entries by time, on all pages", async () => {
  for (const day of [0, 1, 2, 3]) await insertEntry(TODAY + day * DAY_MS, "account.update", admin.userId);
  const timesOf = async (query: string) => {
    const { entries, nextCursor } = (await read(query)).body as { entries: Entry[]; nextCursor: string | null };
    return { days: entries.map(({ createdAt }) => (createdAt - TODAY) / DAY_MS), nextCursor };
  };
  const period = "createdAfter=2026-09-23&createdBefore=2026-09-24&action=account";
  expect(await timesOf(period)).toEqual({ days: [2, 1], nextCursor: null });
  const first = await timesOf(`${period}&limit=1`);
  expect(first.days).toEqual([2]);
  expect(await timesOf(`${period}&limit=1&cursor=${first.nextCursor}`)).toEqual({ days: [1], nextCursor: null });
  expect((await timesOf(`action=account&createdBefore=${TODAY + 1}`)).days).toEqual([0]);
});

it("is a file of all entries that match, without formulas, for those who may read it", async () => {
  const values = Array.from({ length: AUDIT_FILE_PAGE_ENTRIES + 5 }, (_, n) => [newId(TODAY + n), TODAY + n]);
  await env.DB.prepare(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, created_at)
     SELECT value ->> 0, ?1, 'user', ?2, 'account.update', value ->> 1 FROM json_each(?3)`,
  )
    .bind(await accountId(), admin.userId, JSON.stringify(values))
    .run();
  await insertEntry(TODAY - 1, "key.create", admin.userId);
  const file = await read("format=csv&action=account&action=key");
  expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="audit.csv"');
  const [header, ...lines] = (file.body["text"] as string).trim().split("\r\n");
  expect(header).toBe("id,createdAt,actorType,actorId,actorName,app,action,targetId,targetName,before,after,country");
  expect(lines).toHaveLength(values.length + 1);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.at(-1)).toContain(`2026-09-21T23:59:59.999Z,user,${admin.userId},Ann Lee,,key.create,,'=1+1,`);
  const member = await join(team, "member");
  expect((await read("format=csv", member)).status).toBe(403);
  for (const [path, value] of [
    ["limit", 1],
    ["page", 2],
    ["cursor", "abc"],
  ])
    expect((await read(`format=csv&${path}=${value}`)).body).toMatchObject({
      details: [{ path, code: "no_pages_in_csv" }],
    });
});

it("searches a period of a bounded number of entries", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ?3)
     INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, created_at)
     SELECT substr(?4, 1, 24) || format('%012x', i), ?1, 'user', ?2, 'account.update', 0 FROM n`,
  )
    .bind(await accountId(), admin.userId, MAX_SEARCHED_ENTRIES, newId(TODAY))
    .run();
  for (const query of ["action=key", `actor=${admin.userId}`, "format=csv"]) {
    const refused = await read(query);
    expect([refused.status, refused.body], query).toMatchObject([400, { details: [{ path: "createdAfter" }] }]);
  }
  expect((await read("limit=1")).status).toBe(200);
  expect((await read("action=key&createdAfter=2026-09-23")).status).toBe(200);
});
