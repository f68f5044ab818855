import { expect, it } from "vitest";
import { call, createAccount, jsonOf } from "../support/api.ts";

it("lists the calling key", async () => {
  const { key, keyId } = await createAccount();
  const response = await call("GET", "/api/keys", { key });
  expect(response.status).toBe(200);
  expect(await jsonOf(response)).toMatchObject({ keys: [{ id: keyId, status: "active" }], nextCursor: null });
});
