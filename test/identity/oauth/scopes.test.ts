import { beforeEach, describe, expect, it } from "vitest";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { callTool, dataOf, post, send } from "../../assistants/client.ts";
import { join, makeTeam } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { connect } from "./support.ts";

beforeEach(() => internet.reset());

async function toolsOf(token: string): Promise<string[]> {
  const { result = {} } = await send(token, "tools/list");
  return (result["tools"] as { name: string }[]).map(({ name }) => name);
}
const callOf = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });

describe("an app", () => {
  it("does not see the tools that need a refused scope, and cannot call them", async () => {
    const { access } = await connect({ scopes: ["links:read", "clicks:read"] });
    const tools = await toolsOf(access);
    expect(tools.toSorted()).toEqual(["get_account", "get_analytics", "get_link", "get_qr_code", "list_links"]);
    const response = await post(access, callOf("create_link"));
    expect(response.headers.get("WWW-Authenticate")).toBeNull();
    await expect(callTool(access, "create_link", { url: "https://example.com/" })).rejects.toThrow("create_link");
    expect(await dataOf(access, "get_account")).toMatchObject({ permissions: ["links:read", "clicks:read"] });
  });

  it("sees the tools that need a scope it did not ask for, and is told to ask for all", async () => {
    const { access } = await connect({ asked: { scope: "links:read offline_access openid" }, scopes: ["links:read"] });
    expect(await toolsOf(access)).toHaveLength(14);
    const response = await post(access, callOf("create_link"));
    expect(response.status).toBe(403);
    expect(response.headers.get("WWW-Authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="${SCOPES_OF_RESOURCE["/mcp"].join(" ")}", resource_metadata="https://tern.test/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(await response.json()).toMatchObject({
      code: "forbidden",
      details: [{ path: "", code: "app_lacks_scope", allowed: ["links:write"] }],
    });
    expect(await dataOf(access, "list_links")).toMatchObject({ links: [] });
    expect((await post(access, "{")).status).toBe(400);
  });

  it("has no more than the role of its person, whatever it asks for", async () => {
    const team = await makeTeam();
    const viewer = await join(team, "viewer");
    const scopes = SCOPES_OF_RESOURCE["/mcp"].filter((scope) => scope.endsWith(":read") && scope !== "webhooks:read");
    const { access } = await connect({ person: viewer, account: team.id, scopes });
    expect(await dataOf(access, "get_account")).toMatchObject({ account: "Acme", permissions: scopes });
    expect(await toolsOf(access)).not.toContain("create_link");
    const response = await post(access, callOf("create_link"));
    expect(response.status).toBe(200);
  });
});
