import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { app as api } from "../../../src/app.ts";
import { actAs } from "../../../src/platform/auth/in-process.ts";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import type { AppPrincipal } from "../../../src/platform/auth/principal.ts";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { callTool, post, textOf } from "../../assistants/client.ts";
import { BASE_URL, buildRequest, jsonOf, type ErrorJson } from "../../support/api.ts";
import { actFor, join, makeTeam } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { connect } from "./support.ts";

beforeEach(() => internet.reset());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("an app", () => {
  it("can do less from its next call on when the role is lowered, and nothing without one", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const { access } = await connect({
      person: member,
      account: team.id,
      scopes: SCOPES_OF_RESOURCE["/mcp"].filter((scope) => scope !== "webhooks:read" && scope !== "domains:write"),
    });
    const create = () => callTool(access, "create_link", { url: "https://example.com/" });
    expect((await create()).isError).toBeUndefined();
    const path = `/api/teams/${team.id}/members/${member.userId}`;
    expect((await actFor(team, team.owner, "PATCH", path, { role: "viewer" })).status).toBe(200);
    await expect(create()).rejects.toThrow("create_link");
    expect((await callTool(access, "list_links")).isError).toBeUndefined();
    expect((await actFor(team, team.owner, "DELETE", path)).status).toBe(200);
    expect((await post(access, LIST)).status).toBe(401);
  });

  /** An app that has every permission, which no grant gives. */
  async function allPowerful(): Promise<AppPrincipal> {
    const { person } = await connect();
    const row = await env.DB.prepare("SELECT id, account_id FROM oauth_grants").first<{
      id: string;
      account_id: number;
    }>();
    return {
      type: "app",
      accountId: row?.account_id ?? 0,
      accountName: "",
      user: { id: person.userId, email: person.email },
      grantId: row?.id ?? "",
      resource: "/mcp",
      origin: BASE_URL,
      confirmedAt: Date.now(),
      appName: "Assistant",
      role: "owner",
      permissions: PERMISSIONS,
      refused: [],
      linkDefaults: null,
      isUntrusted: false,
    };
  }

  const callAs = async (principal: AppPrincipal, method: string, path: string, body?: unknown) => {
    const sent = buildRequest(method, path, body === undefined ? {} : { body });
    actAs(sent, principal);
    return api.fetch(sent, env, createExecutionContext());
  };

  it("makes no keys: no scope has them, and a confirmed identity is needed, which leads to the dashboard", async () => {
    const principal = await allPowerful();
    const body = { name: "Robot" };
    const lacking = await callAs({ ...principal, permissions: SCOPES_OF_RESOURCE["/mcp"] }, "POST", "/api/keys", body);
    expect([lacking.status, await jsonOf(lacking)]).toMatchObject([
      403,
      { code: "forbidden", details: [{ code: "lacks_permission", resource: "app", allowed: ["keys:write"] }] },
    ]);
    for (const [method, path, sent] of [
      ["POST", "/api/keys", body],
      ["POST", "/api/webhooks", { url: "https://hooks.acme.com/", events: ["link.create"] }],
      ["POST", "/api/listeners", { events: ["link.create"] }],
    ] as const) {
      const response = await callAs(principal, method, path, sent);
      expect(response.status).toBe(403);
      expect(await jsonOf<ErrorJson>(response)).toEqual({
        error:
          "An app cannot do this, because it needs your confirmed identity. Do it in the dashboard: https://tern.test/app",
        code: "confirm_identity",
      });
    }
  });

  it("changes nothing after its grant has ended in the middle of a call", async () => {
    const principal = await allPowerful();
    await env.DB.prepare("DELETE FROM oauth_grants").run();
    const response = await callAs(principal, "POST", "/api/domains/add", { domain: "go.acme.com" });
    expect([response.status, await jsonOf(response)]).toMatchObject([
      403,
      { details: [{ code: "access_changed", resource: "app" }] },
    ]);
  });

  it("does not see other paths of the session", async () => {
    const principal = await allPowerful();
    for (const path of ["/api/account/audit", "/api/auth/sessions", "/api/teams", "/api/auth/apps"])
      expect([path, (await callAs(principal, "GET", path)).status]).toEqual([path, 401]);
  });

  it("is named in the audit log beside its person", async () => {
    const { access, person } = await connect();
    const reply = await callTool(access, "add_domain", { domain: "go.acme.com" });
    expect([reply.isError, textOf(reply)]).toEqual([undefined, expect.stringContaining("go.acme.com")]);
    const { body } = await person.browser.get("/api/account/audit");
    const [entry] = body["entries"] as { actor: unknown; action: string }[];
    expect(entry).toMatchObject({
      action: "domain.add",
      actor: { type: "user", id: person.userId, name: "Ann Lee", app: "Assistant" },
    });
  });
});
