import { beforeEach, describe, expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { post } from "../../assistants/client.ts";
import { askFor, connect, discover, refresh, register, type Connection } from "../oauth/support.ts";
import { tokenOf, view } from "../../clicks/shared-pages/support.ts";
import { call, jsonOf } from "../../support/api.ts";
import { actFor, join, makeTeam, type Person } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, forgetConfirmation, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

interface Page {
  id: string;
  url: string;
}

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const callsTools = async ({ access }: Connection) => (await post(access, LIST)).status;
const views = async (page: Page) => (await view(page)).status;

async function tag(person: Person, account?: string): Promise<void> {
  const headers: Record<string, string> = account === undefined ? {} : { "X-Account-Id": account };
  const body = { url: "https://dest.test/x", tags: ["sale"] };
  expect((await person.browser.post("/api/links", body, { headers })).status).toBe(201);
}

async function share(person: Person, account?: string, title?: string): Promise<Page> {
  const headers: Record<string, string> = account === undefined ? {} : { "X-Account-Id": account };
  const reply = await person.browser.post("/api/shared-pages", { tag: "sale", title }, { headers });
  expect(reply.status).toBe(201);
  return reply.body["sharedPage"] as Page;
}

/** A browser with the stolen cookie of a session whose identity was confirmed long ago. */
async function steal({ browser }: Person): Promise<Browser> {
  const thief = new Browser();
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  await forgetConfirmation();
  return thief;
}

describe("somebody with a stolen cookie", () => {
  it("connects no app, not even one that only reads", async () => {
    const person = await signUp();
    const thief = await steal(person);
    const { query } = await askFor(await register(await discover()), { scope: "links:read" });
    expect((await thief.post("/api/auth/apps/describe", { query })).body["needsConfirmation"]).toBe(true);
    const reply = await thief.post("/api/auth/apps/decide", { query, allow: true, scopes: ["links:read"] });
    expect([reply.status, reply.body.code]).toEqual([403, "confirm_identity"]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(0);
    // To refuse an app needs nothing.
    expect((await thief.post("/api/auth/apps/decide", { query, allow: false, scopes: [] })).status).toBe(200);
  });

  it("shares no page, and opens none that has a password", async () => {
    const person = await signUp();
    await tag(person);
    const page = await share(person);
    const path = `/api/shared-pages/${page.id}`;
    expect((await person.browser.patch(path, { password: "correct horse" })).status).toBe(200);
    const thief = await steal(person);
    for (const [method, at, body] of [
      ["POST", "/api/shared-pages", { tag: "sale" }],
      ["PATCH", path, { password: null }],
      ["PATCH", path, { password: "battery staple" }],
      ["PATCH", path, { showDestination: true }],
    ] as const) {
      const reply = await thief.send(method, at, { body });
      expect([method, body, reply.status, reply.body.code]).toEqual([method, body, 403, "confirm_identity"]);
    }
    expect((await thief.patch(path, { title: "Other" })).status).toBe(200);
    expect((await person.browser.get("/api/shared-pages")).body["sharedPages"]).toHaveLength(1);
  });
});

it("a new shared page is told by a mail, in the language of the person", async () => {
  const person = await signUp();
  await tag(person);
  await takeMails();
  await share(person);
  expect(await takeMails()).toEqual([expect.objectContaining({ to: person.email, subject: "A page was shared" })]);
  await person.browser.patch("/api/auth/user", { language: "de" });
  await share(person);
  expect(await takeMails()).toEqual([expect.objectContaining({ subject: "Eine Seite wurde geteilt" })]);
});

/** What asks for the end of what a person made that reads without a session. */
const ENDINGS = {
  "a new password": ({ browser }: Person, endAccess?: boolean) =>
    browser.post("/api/auth/password/change", { currentPassword: PASSWORD, password: OTHER_PASSWORD, endAccess }),
  "the end of other sessions": ({ browser }: Person, endAccess?: boolean) =>
    browser.delete(`/api/auth/sessions${endAccess === undefined ? "" : `?endAccess=${endAccess}`}`),
};

describe.each(Object.entries(ENDINGS))("%s", (_, end) => {
  /** A member with an app and a page in the own account and in a team, and what others and a key made there. */
  async function plant() {
    const team = await makeTeam();
    const member = await join(team, "member");
    await tag(member);
    await tag(member, team.id);
    const { body } = await actFor(team, team.owner, "POST", "/api/keys", { name: "Robot" });
    const { value: key } = body["key"] as { value: string };
    const byKey = await call("POST", "/api/shared-pages", { key, body: { tag: "sale" } });
    return {
      team,
      member,
      apps: [await connect({ person: member }), await connect({ person: member, account: team.id })] as const,
      pages: [await share(member, undefined, "Spring"), await share(member, team.id)] as const,
      others: {
        app: await connect({ person: team.owner, account: team.id }),
        pages: [await share(team.owner, team.id), (await jsonOf<{ sharedPage: Page }>(byKey)).sharedPage],
      },
    };
  }

  it("ends what the person connected and shared, which is listed before, and nothing of others", async () => {
    const { team, member, apps, pages, others } = await plant();
    const { access } = (await member.browser.get("/api/auth/access")).body as {
      access: Record<"apps" | "sharedPages", object[]>;
    };
    expect(access.apps.map((app) => ({ ...app, id: 0 }))).toEqual([
      { id: 0, name: "Assistant", account: "Acme" },
      { id: 0, name: "Assistant", account: "Ann Lee" },
    ]);
    expect(access.sharedPages).toEqual([
      { id: pages[1].id, title: "sale", account: "Acme" },
      { id: pages[0].id, title: "Spring", account: "Ann Lee" },
    ]);
    expect((await end(member)).status).toBe(200);
    for (const app of apps) expect([await callsTools(app), (await refresh(app)).status]).toEqual([401, 400]);
    for (const page of pages) expect([tokenOf(page).length > 0, await views(page)]).toEqual([true, 404]);
    expect((await member.browser.get("/api/auth/access")).body["access"]).toEqual({ apps: [], sharedPages: [] });
    expect(await callsTools(others.app)).toBe(200);
    for (const page of others.pages) expect(await views(page)).toBe(200);
    const { body } = await actFor(team, team.owner, "GET", "/api/account/audit?limit=3");
    const entries = body["entries"] as { action: string; actor: { id: string }; targetName: string }[];
    const own = entries.filter(({ actor }) => actor.id === member.userId);
    expect(own.map(({ action, targetName }) => `${action} ${targetName}`).toSorted()).toEqual([
      "app.disconnect Assistant",
      "shared_page.delete sale",
    ]);
  });

  it("leaves it by choice", async () => {
    const { member, apps, pages } = await plant();
    expect((await end(member, false)).status).toBe(200);
    for (const app of apps) expect(await callsTools(app)).toBe(200);
    for (const page of pages) expect(await views(page)).toBe(200);
  });

  it("leaves the team what a former member with a lower role shared", async () => {
    const { team, member, pages } = await plant();
    const path = `/api/teams/${team.id}/members/${member.userId}`;
    const demoted = await team.owner.browser.patch(path, { role: "viewer", endAccess: false });
    expect(demoted.status).toBe(200);
    expect((await end(member)).status).toBe(200);
    expect([await views(pages[0]), await views(pages[1])]).toEqual([404, 200]);
  });
});

it("a new password that is refused ends nothing", async () => {
  const person = await signUp();
  await tag(person);
  const [app, page] = [await connect({ person }), await share(person)];
  const change = { currentPassword: OTHER_PASSWORD, password: OTHER_PASSWORD };
  expect((await person.browser.post("/api/auth/password/change", change)).status).toBe(401);
  await forgetConfirmation();
  expect((await person.browser.delete("/api/auth/sessions")).status).toBe(403);
  expect([await callsTools(app), await views(page)]).toEqual([200, 200]);
});
