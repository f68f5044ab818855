import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { clickLogOf } from "../../../src/click-log/log/stub.ts";
import { jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import { LANES } from "../../../src/jobs/lane.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { call, runCron } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { Browser, PASSWORD, signUp, takeMails } from "../people/support.ts";
import { accept, invite, makeTeam } from "../teams/support.ts";
import { Service } from "../../webhooks/support.ts";
import { accountOf, fillAccount, search } from "./filled-account.ts";
import { deleteOwn, restoreOwn, signIn } from "./support.ts";

const PURGED_AT = 7 * DAY_MS + 2 * HOUR_MS + MINUTE_MS;

/** The objects of the account that work in the background. */
const backgroundObjects = (accountId: number) => LANES.map((lane) => jobRunnerOf(env, accountId, lane));

/** The tables and the other keys of a Durable Object of the account, and its alarm. */
const storageOf = (object: DurableObjectStub) =>
  runInDurableObject(object, async (_, { storage }) => {
    const tables = storage.sql.exec("SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'");
    const alarm = await storage.getAlarm();
    return [...tables]
      .map(({ name }) => name)
      .concat(
        [...storage.kv.list()].map(([key]) => key),
        alarm ?? [],
      );
  });

it("deletes everything of an account and its person after a week, and nothing of others", async () => {
  const other = await fillAccount();
  const person = await fillAccount();
  // Other accounts that have something of the person: a membership, and invitations from and for the address.
  const team = await makeTeam(other);
  await takeMails();
  expect((await accept(person, await invite(team, person.email, "admin"))).status).toBe(200);
  await env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(person.userId).run();
  await env.DB.prepare(
    `INSERT INTO destinations (link_id, link_seq, account_id, due_at)
     SELECT id, seq, account_id, 0 FROM links WHERE account_id IS NOT NULL UNION SELECT id, seq, account_id, 0 FROM deleted_links`,
  ).run();
  await env.DB.prepare(
    "INSERT INTO broken_destination_mails (account_id, told_until) SELECT id, 0 FROM accounts",
  ).run();
  await env.DB.prepare(
    "INSERT INTO screening_notices (account_id, host, verdict, short_url, due_at) SELECT id, 'evil.dev', 0, '', 1e15 FROM accounts",
  ).run();
  const named = await search(person.texts, person.accountId);
  const empty = [...named].filter(([, rows]) => rows.length === 0).map(([table]) => table);
  // The search index reads its texts from the links, and the rows of the installation and of its health have nothing of accounts. Reports,
  // appeals and what operators did to others are kept.
  expect(empty.filter((table) => !table.startsWith("links_fts"))).toEqual([
    "installation",
    "takedowns",
    "takedown_accounts",
    "host_sweeps",
    "appeals",
    "reports",
    "operator_entries",
    "screening_rules",
    "destination_cursor",
    "health_reports",
  ]);
  await person.browser.post(`/api/teams/${team.id}/invitations`, { email: "eve@example.com", role: "viewer" });
  const foreign = await makeTeam(other);
  await invite(foreign, person.email);
  const kept = await search(other.texts, other.accountId);

  await env.DB.prepare("UPDATE domains SET hostname_status = 'active' WHERE account_id = ?1")
    .bind(person.accountId)
    .run();

  for (const object of backgroundObjects(person.accountId)) expect(await storageOf(object)).not.toEqual([]);
  expect((await deleteOwn(person)).status).toBe(202);
  await runCron(Date.now() + 7 * DAY_MS);
  expect((await search(person.texts, person.accountId)).get("users")).toHaveLength(1);
  await runCron(Date.now() + PURGED_AT);
  const left = [...(await search(person.texts, person.accountId))].filter(([, rows]) => rows.length > 0);
  // The log of the team says who changed what there: by an id, without the name or the address.
  expect(left.map(([table]) => table)).toEqual(["audit_entries"]);
  expect(left[0]?.[1].join()).not.toContain(person.email);
  expect(await storageOf(clickLogOf(env, person.accountId))).toEqual(["subscriptions", expect.any(Number)]);
  for (const object of backgroundObjects(person.accountId)) expect(await storageOf(object)).toEqual([]);

  // The cron removes it at Cloudflare.
  expect(await env.DB.prepare("SELECT hostname FROM removed_hostnames").first("hostname")).toBe(
    `go${person.accountId}.acme.com`,
  );

  // Others keep everything but what is older than its own retention, and the person's part in the team.
  const keptNow = await search(other.texts, other.accountId);
  for (const table of ["accounts", "users", "api_keys", "domains", "passkeys"])
    expect([table, keptNow.get(table)]).toEqual([table, kept.get(table)]);
  // Counters of links are stored later.
  for (const table of ["links", "webhooks", "deliveries"])
    expect([table, keptNow.get(table)?.length]).toEqual([table, kept.get(table)?.length]);
  expect(await storageOf(clickLogOf(env, other.accountId))).not.toEqual([]);
  expect((await call("GET", `/renamed-${other.accountId}`)).status).toBe(302);
});

it("leaves a restored account as it was", async () => {
  const person = await fillAccount();
  await makeTeam(person);
  // The sign-in would ask for it.
  await env.DB.prepare("DELETE FROM passkeys").run();
  const before = await search(person.texts, person.accountId);
  await deleteOwn(person);
  await runCron(Date.now());
  await signIn(person);
  expect((await restoreOwn(person)).status).toBe(200);
  const after = await search(person.texts, person.accountId);
  // The session and the records of the deletion are new, apps have to be connected again, and a receiver may have got an event.
  const changed = new Set([
    "sessions",
    "oauth_grants",
    "oauth_tokens",
    "audit_entries",
    "mails",
    "webhooks",
    "deliveries",
    "delivery_totals",
    "waiting_clicks",
  ]);
  for (const [table, rows] of before) if (!changed.has(table)) expect([table, after.get(table)]).toEqual([table, rows]);
  for (const table of ["audit_entries", "webhooks", "deliveries"])
    expect(after.get(table)?.length).toBeGreaterThanOrEqual(before.get(table)?.length ?? 0);
});

it("drops what queues still hold of a purged account, and its slugs and its address are free", async () => {
  const errors = vi.spyOn(console, "error");
  const service = new Service();
  const person = await signUp();
  const { id: accountId } = await accountOf(person);
  const { key } = (await person.browser.post("/api/keys", { name: "Robot" })).body as { key: { value: string } };
  const { id: webhookId } = await service.createWebhook(key.value, { events: ["link.create", "link.click"] });
  const { link } = (
    await person.browser.post(
      "/api/links",
      { url: "https://example.com/", slug: "spring" },
      {
        bindings: service.bindings,
      },
    )
  ).body as { link: { id: string } };
  const wakeUps = service.messages.splice(0);
  await person.browser.post("/api/auth/password/forgot", { email: person.email });
  const reset = (await takeMails()).find(({ token }) => token !== "")?.token;
  await deleteOwn(person);
  await runCron(Date.now() + PURGED_AT);
  await consume([messageOf([clickOn(link.id, accountId)])]);
  const click = {
    kind: "click_event" as const,
    webhookId,
    eventId: newId(Date.now()),
    body: "{}",
    createdAt: Date.now(),
  };
  await service.consume([...wakeUps, { body: click, attempts: 1 }]);
  const mail = { body: { kind: "mail" as const, mailId: newId(Date.now()) }, attempts: 1 };
  await service.consume([mail as never]);
  expect(errors).not.toHaveBeenCalled();
  expect(service.messages).toEqual([]);
  expect(await storageOf(clickLogOf(env, accountId))).toEqual(["subscriptions", expect.any(Number)]);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(0);

  await takeMails();
  const later = await signUp(person.email);
  expect(later.userId).not.toBe(person.userId);
  expect((await later.browser.get("/api/links")).body).toEqual({ links: [], nextCursor: null });
  expect((await later.browser.get("/api/teams")).body).toMatchObject({ teams: [] });
  const { code } = (await new Browser().post("/api/auth/password/reset", { token: reset, password: PASSWORD })).body;
  expect(code).toBeDefined();
  const again = await later.browser.post("/api/links", { url: "https://example.org/", slug: "spring" });
  expect(again.status).toBe(201);
});

it("deletes many links in batches, and goes on after a crash at any statement", async () => {
  const person = await fillAccount();
  const { accountId, texts } = person;
  await insertManyLinks(env.DB, accountId, 1_200);
  await makeTeam(person);
  await deleteOwn(person);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const due = Date.now() + PURGED_AT;
  const left = async () => [...(await search(texts, accountId)).values()].flat().length;
  // The n-th round trip of the purge fails; half of the times after the database has done its work.
  let rest = await left();
  for (let failing = 1; rest > 0 && failing < 30; failing++) {
    let count = 0;
    await interceptD1(
      async (sql, send) => {
        if (
          !/INDEXED BY accounts_deleted\b.*random|WHERE webhook_id IN \(SELECT|links_by_account|idempotency_pieces WHERE acc|DELETE FROM accounts/s.test(
            String(sql),
          )
        )
          return send();
        if (++count !== failing) return send();
        if (failing % 2 === 0) await send();
        throw new Error("the isolate has crashed");
      },
      () => runCron(due),
    );
    const now = await left();
    expect(now).toBeLessThanOrEqual(rest);
    rest = now;
  }
  expect(rest).toBe(0);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM accounts").first("n")).toBe(0);
  // Without deleted accounts, the job is one statement.
  const { statements } = await measureD1(() => runCron(due));
  expect(statements.filter((sql) => sql.includes("accounts a INDEXED BY accounts_deleted"))).toHaveLength(1);
});
