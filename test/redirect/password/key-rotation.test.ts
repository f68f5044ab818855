import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generateEncryptionKey } from "../../../src/platform/lib/encryption.ts";
import { hashPassword } from "../../../src/platform/lib/password.ts";
import type { Link } from "../../../src/links/contract.ts";
import { replacePasswordHash } from "../../../src/redirect/lookup/store/links.ts";
import { buildRequest, call, createAccount, createLink, send } from "../../support/api.ts";
import { cookieOf, guess, guessWith, PASSWORD } from "../../support/password.ts";

let key: string;
let link: Link;
beforeEach(async () => {
  ({ key } = await createAccount());
  link = await createLink(key, { slug: "Secret", password: PASSWORD });
});

describe("after a new encryption key was put first", () => {
  const next = generateEncryptionKey("next");
  const hashOf = () => env.DB.prepare("SELECT * FROM links WHERE id = ?1").bind(link.id).first("password_hash");
  const all = `${next},${env.ENCRYPTION_KEYS}`;

  it("a right guess stores the password under it, and cookies stay valid", async () => {
    const [id, tag, hmac] = String(await hashOf()).split(".");
    const before = cookieOf(await guess("/secret", PASSWORD));
    expect((await guessWith("/secret", "wrong horse", { ENCRYPTION_KEYS: all })).status).toBe(403);
    expect(await hashOf()).toBe([id, tag, hmac].join("."));
    expect((await guessWith("/secret", PASSWORD, { ENCRYPTION_KEYS: all })).status).toBe(303);
    const rehashed = String(await hashOf()).split(".");
    expect(rehashed.slice(0, 2)).toEqual(["next", tag]);
    expect(rehashed[2]).not.toBe(hmac);
    const visit = buildRequest("GET", "/secret", { headers: { Cookie: before } });
    expect((await send(visit, { ENCRYPTION_KEYS: all })).status).toBe(302);
    expect((await guessWith("/secret", "wrong horse", { ENCRYPTION_KEYS: next })).status).toBe(403);
    expect((await guessWith("/secret", PASSWORD, { ENCRYPTION_KEYS: next })).status).toBe(303);
  });

  it("a password that was changed in the meantime is not overwritten", async () => {
    const from = String(await hashOf());
    await call("PATCH", `/api/links/${link.id}`, { key, body: { password: "battery staple" } });
    const changed = await hashOf();
    await replacePasswordHash(env.DB, link.id, from, await hashPassword(all, link.id, PASSWORD));
    expect(await hashOf()).toBe(changed);
  });

  it("responds 503 to every guess, and logs why, if the former key was removed", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    for (const password of [PASSWORD, "wrong horse"])
      expect((await guessWith("/secret", password, { ENCRYPTION_KEYS: next })).status).toBe(503);
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toMatchObject({
      event: "password_key_missing",
      linkId: link.id,
    });
  });
});
