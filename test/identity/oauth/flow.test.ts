import * as oauth from "oauth4webapi";
import { beforeEach, describe, expect, it } from "vitest";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { dataOf, post, send } from "../../assistants/client.ts";
import { signUp, takeMails } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { allow, askFor, DOCUMENT_URL, discover, exchange, publish, register, toWorker, type App } from "./support.ts";

beforeEach(() => internet.reset());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe.each([
  ["that registers itself", async (server: oauth.AuthorizationServer): Promise<App> => register(server)],
  [
    "with a metadata document",
    async (server: oauth.AuthorizationServer): Promise<App> => {
      await publish();
      return { server, client: { client_id: DOCUMENT_URL } };
    },
  ],
])("an app %s", (_, makeApp) => {
  it("is connected, calls tools, refreshes and is revoked", async () => {
    const { browser, email } = await signUp();
    const server = await discover();
    const app = await makeApp(server);
    const { query, verifier } = await askFor(app);
    const asked = await browser.get(`/oauth/authorize?${query}`);
    expect([asked.status, asked.headers.get("Location")]).toEqual([302, `/app/authorize?${query}`]);
    const described = await browser.post("/api/auth/apps/describe", { query });
    const isVerified = app.client.client_id === DOCUMENT_URL;
    expect(described.body).toEqual({
      client: {
        name: "Assistant",
        host: isVerified ? "assistant.acme.com" : null,
        isVerified,
        uri: isVerified ? "https://assistant.acme.com/" : null,
      },
      redirect: { host: "assistant.acme.com", scheme: "https", isLoopback: false },
      resource: "/mcp",
      scopes: SCOPES_OF_RESOURCE["/mcp"].map((name) => ({ name, isWriting: name.endsWith(":write") })),
      needsConfirmation: false,
      isKnown: false,
    });

    const tokens = await exchange(app, await allow(browser, query), verifier);
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: 8 * 3_600,
      account: { id: expect.stringMatching(/^[\w-]{36}$/), name: "Ann Lee" },
      scope: SCOPES_OF_RESOURCE["/mcp"].join(" "),
    });
    expect((await takeMails()).filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
      "An app was connected",
    ]);
    const tools = await send(tokens.access_token, "tools/list");
    expect(tools.result?.["tools"]).toHaveLength(14);
    const url = "https://example.com/by-an-app";
    const { link } = await dataOf<{ link: { url: string } }>(tokens.access_token, "create_link", { url });
    expect(link.url).toBe(url);
    const account = await dataOf<{ account: string; permissions: string[] }>(tokens.access_token, "get_account");
    expect(account).toMatchObject({ account: "Ann Lee", permissions: SCOPES_OF_RESOURCE["/mcp"] });
    expect((await browser.post("/api/auth/apps/describe", { query })).body["isKnown"]).toBe(true);

    const refresh = [server, app.client, oauth.None(), tokens.refresh_token ?? "", toWorker] as const;
    const refreshed = await oauth.refreshTokenGrantRequest(...refresh);
    const next = await oauth.processRefreshTokenResponse(server, app.client, refreshed);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(next["account"]).toEqual(tokens["account"]);
    expect((await post(next.access_token, LIST)).status).toBe(200);

    const revoke = [server, app.client, oauth.None(), next.refresh_token ?? "", toWorker] as const;
    await oauth.processRevocationResponse(await oauth.revocationRequest(...revoke));
    for (const token of [tokens.access_token, next.access_token]) {
      const response = await post(token, LIST);
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer error="invalid_token", scope="links:read /);
    }
    expect((await browser.get("/api/auth/apps")).body).toEqual({ apps: [], nextCursor: null });
  });
});
