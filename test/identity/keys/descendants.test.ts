import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import type { ApiKey } from "../../../src/identity/keys/contract.ts";
import { insertKey } from "../../../src/identity/keys/store/keys.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { addKey, call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";

async function createKey(key: string, body: object = { name: "second" }): Promise<ApiKey & { value: string }> {
  const response = await call("POST", "/api/keys", { key, body });
  expect(response.status).toBe(201);
  return (await jsonOf<{ key: ApiKey & { value: string } }>(response)).key;
}

async function listKeys(key: string): Promise<{ keys: ApiKey[] }> {
  return jsonOf(await call("GET", "/api/keys", { key }));
}

describe("the creator of a key", () => {
  it("is the calling key, and null for the first key of an account", async () => {
    const { key, keyId } = await createAccount();
    const child = await createKey(key);
    const grandchild = await createKey(child.value);
    await call("DELETE", `/api/keys/${child.id}`, { key });
    expect((await listKeys(key)).keys.map(({ id, createdBy }) => [id, createdBy])).toEqual([
      [grandchild.id, { type: "key", id: child.id, name: child.name }],
      [child.id, { type: "key", id: keyId, name: "test" }],
      [keyId, null],
    ]);
  });

  it("must not be revoked meanwhile", async () => {
    const { accountId, keyId } = await createAccount();
    await call("DELETE", `/api/keys/${keyId}`, { key: (await addKey(accountId)).key });
    const fields = { name: "late", hash: "hash", lastFour: "0000", permissions: PERMISSIONS, expiresAt: null };
    const late = { id: newId(Date.now()), accountId, createdBy: { type: "key" as const, id: keyId }, ...fields };
    expect(await insertKey(env.DB, late, Date.now())).toEqual({ outcome: "creator_revoked" });
  });
});

describe("revoking a key with its descendants", () => {
  /** The first key with its children a and b, and a's child c. */
  async function createFamily() {
    const { key, keyId, accountId } = await createAccount();
    const first = { id: keyId, value: key };
    const a = await createKey(key, { name: "a" });
    const b = await createKey(key, { name: "b" });
    const c = await createKey(a.value, { name: "c" });
    const outside = await addKey(accountId);
    const active = async () => {
      const { keys } = await listKeys(outside.key);
      const own = keys.filter(({ id, status }) => id !== outside.keyId && status === "active");
      // In alphabetical order: those of the same millisecond are listed in any order.
      return own.map(({ name }) => name).toSorted();
    };
    return { first, a, b, c, outside, active };
  }
  const revoke = (id: string, key: string, query = "?descendants=true") =>
    call("DELETE", `/api/keys/${id}${query}`, { key });

  it("revokes the children of its children too, also below a key that is revoked already, and no other keys", async () => {
    const { first, a, b, c, outside, active } = await createFamily();
    expect(await active()).toEqual(["a", "b", "c", "test"]);
    await revoke(a.id, b.value, "");
    expect(await active()).toEqual(["b", "c", "test"]);
    expect(await jsonOf(await revoke(a.id, b.value))).toEqual({ success: true });
    expect(await active()).toEqual(["b", "test"]);
    expect((await call("GET", "/api/links", { key: c.value })).status).toBe(401);
    for (let round = 0; round < 2; round++) expect((await revoke(first.id, outside.key)).status).toBe(200);
    expect(await active()).toEqual([]);
  });

  it("revokes only the key by default", async () => {
    const { a, b, active } = await createFamily();
    await revoke(a.id, b.value, "?descendants=false");
    expect(await active()).toEqual(["b", "c", "test"]);
  });

  it("revokes nothing if the calling key is one of them, or if the key is in another account", async () => {
    const { first, a, c, active } = await createFamily();
    for (const [id, key] of [
      [first.id, first.value],
      [first.id, c.value],
      [a.id, a.value],
    ] as const) {
      const response = await revoke(id, key);
      expect(response.status).toBe(409);
      expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "conflict" });
    }
    const stranger = await createAccount();
    expect((await revoke(a.id, stranger.key)).status).toBe(403);
    expect((await revoke(newId(0), stranger.key)).status).toBe(404);
    expect((await revoke(a.id, first.value, "?descendants=yes")).status).toBe(400);
    expect(await active()).toHaveLength(4);
    expect((await revoke(c.id, c.value, "")).status).toBe(200);
  });
});
