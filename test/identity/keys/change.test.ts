import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { addKey, buildRequest, call, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";
import { forgetConfirmation, signUp, takeMails } from "../people/support.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { actFor, join, makeTeam } from "../teams/support.ts";

interface Key {
  id: string;
  name: string;
  permissions: string[];
  value: string;
}

it("GET /api/keys/current tells a key about itself and its account, whatever its permissions are", async () => {
  const { accountId, key: first } = await createAccount();
  const { key, keyId } = await addKey(accountId, ["clicks:read"]);
  const request = buildRequest("GET", "/api/keys/current", { key });
  const response = await send(new Request(request, { cf: { country: "DE" } }) as typeof request);
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(accountId).first("uuid");
  expect(await response.json()).toMatchObject({
    key: { id: keyId, permissions: ["clicks:read"], status: "active" },
    account: { id: uuid, name: "test" },
  });
  const { keys } = await jsonOf<{ keys: object[] }>(await call("GET", "/api/keys", { key: first }));
  expect(keys).toContainEqual(expect.objectContaining({ id: keyId, lastUsedCountry: "DE" }));
  const { browser } = await signUp();
  expect((await browser.get("/api/keys/current")).status).toBe(404);
});

it("a person changes the name and the permissions of a key, and confirms the identity for more of them", async () => {
  const { browser, email, userId } = await signUp();
  const created = await browser.post("/api/keys", { name: "Robot", permissions: ["links:read", "links:write"] });
  const { id, value } = created.body["key"] as Key;
  const change = (body: object) => browser.send("PATCH", `/api/keys/${id.toUpperCase()}`, { body });
  await forgetConfirmation();
  await takeMails();
  const renamed = await change({ name: "Android" });
  expect(renamed.body).toMatchObject({
    key: {
      name: "Android",
      permissions: ["links:read", "links:write"],
      createdBy: { type: "user", id: userId, name: "Ann Lee" },
    },
  });
  expect((await change({ permissions: ["links:read"] })).status).toBe(200);
  const write = await call("POST", "/api/links", { key: value, body: { url: "https://example.com/" } });
  expect(write.status).toBe(403);
  expect((await change({ permissions: ["links:read", "keys:write"] })).body.code).toBe("confirm_identity");
  expect(await takeMails()).toMatchObject([
    { to: email, subject: "An API key was changed" },
    { to: email, subject: "An API key was changed" },
  ]);
  await browser.post("/api/auth/confirm", { password: "seventeen quiet lanterns" });
  const widened = await change({ permissions: ["clicks:read", "links:read"] });
  expect(widened.body).toMatchObject({ key: { permissions: ["links:read", "clicks:read"] } });
  for (const body of [{}, { permissions: [] }, { permissions: ["all"] }, { name: "" }, { expiresAt: null }])
    expect((await change(body)).status).toBe(400);
  await browser.delete(`/api/keys/${id}`);
  expect((await change({ name: "Again" })).body.code).toBe("conflict");
});

it("a key adds only permissions that it has, and only to keys that live no longer", async () => {
  const { accountId, key: all } = await createAccount();
  const limited = await addKey(accountId, ["keys:write", "links:read"]);
  const target = await addKey(accountId, ["clicks:read", "links:write"]);
  const change = (key: string, permissions: string[]) =>
    call("PATCH", `/api/keys/${target.keyId}`, { key, body: { permissions } });
  const refused = await jsonOf<ErrorJson>(await change(limited.key, ["clicks:read", "domains:write"]));
  expect(refused.details).toMatchObject([{ code: "lacks_permission", allowed: ["domains:write"] }]);
  // To keep and to remove permissions, it needs none of them.
  expect((await change(limited.key, ["clicks:read", "links:read"])).status).toBe(200);
  await env.DB.prepare("UPDATE api_keys SET expires_at = ?1 WHERE id = ?2")
    .bind(Date.now() + 60_000, limited.keyId)
    .run();
  expect((await change(limited.key, ["links:read"])).status).toBe(200);
  const later = await jsonOf<ErrorJson>(await change(limited.key, ["links:read", "keys:write"]));
  expect(later.details).toMatchObject([{ code: "expires_after_caller" }]);
  const others = await createAccount();
  expect((await change(others.key, ["links:read"])).status).toBe(403);
  expect((await change(target.key, ["links:read"])).status).toBe(403);
  const [one, two] = await Promise.all([change(all, ["links:read", "keys:read"]), change(all, ["clicks:read"])]);
  const { keys } = await jsonOf<{ keys: Key[] }>(await call("GET", "/api/keys", { key: all }));
  const stored = keys.find(({ id }) => id === target.keyId)?.permissions;
  for (const response of [one, two]) expect(response.status).toBeOneOf([200, 409]);
  expect([["links:read", "keys:read"], ["clicks:read"]]).toContainEqual(stored);
});

it("a person who loses the role meanwhile creates no key and changes none", async () => {
  const team = await makeTeam();
  const admin = await join(team, "admin");
  const created = await actFor(team, admin, "POST", "/api/keys", { name: "Robot", permissions: ["links:read"] });
  const { id } = created.body["key"] as Key;
  const setRole = (role: string) =>
    env.DB.prepare(
      "UPDATE memberships SET role = ?1 WHERE user_id = ?2 AND account_id = (SELECT id FROM accounts WHERE uuid = ?3)",
    )
      .bind(role, admin.userId, team.id)
      .run();
  for (const [method, path, statement, status] of [
    ["POST", "/api/keys", "INSERT INTO api_keys", 403],
    ["PATCH", `/api/keys/${id}`, "UPDATE api_keys SET name", 409],
  ] as const) {
    await setRole("admin");
    let isDemoted = false;
    await interceptD1(
      async (sql, send) => {
        if (!isDemoted && JSON.stringify(sql).includes(statement)) {
          isDemoted = true;
          await setRole("viewer");
        }
        return send();
      },
      async () => {
        const body = { name: "Late", permissions: ["links:read", "keys:write"] };
        const reply = await actFor(team, admin, method, path, body);
        expect([method, isDemoted, reply.status]).toEqual([method, true, status]);
      },
    );
  }
  const { keys } = (await actFor(team, team.owner, "GET", "/api/keys")).body;
  expect(keys).toMatchObject([{ id, name: "Robot", permissions: ["links:read"] }]);
});
