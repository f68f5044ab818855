import { afterAll, beforeAll, expect, it } from "vitest";
import { addKey, callApi, createAccount } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

let service: Service<"here" | "near" | "far">;

beforeAll(async () => {
  service = await startService({ here: "one", near: "one", far: "two" });
});
afterAll(() => service.stop());

const all = () => Object.values(service.isolates);

async function statusesOf(key: string): Promise<number[]> {
  return Promise.all(all().map(async (isolate) => (await callApi(isolate, key, "GET", "/api/links")).status));
}

it("refuses a revoked key at the next request in every isolate", async () => {
  const { accountId, key } = await createAccount(service.db);
  const { key: leaked, keyId } = await addKey(service.db, accountId);
  for (let use = 0; use < 3; use++) expect(await statusesOf(leaked)).toEqual([200, 200, 200]);

  const revoked = await callApi(service.isolates.here, key, "DELETE", `/api/keys/${keyId}`);
  expect(revoked.status).toBe(200);

  expect(await statusesOf(leaked)).toEqual([401, 401, 401]);
  expect(await statusesOf(key)).toEqual([200, 200, 200]);
});

it("refuses an expired key in every isolate", async () => {
  const { accountId, key } = await createAccount(service.db);
  const { now } = await service.isolates.here.state();
  const { key: temporary } = await addKey(service.db, accountId, { expiresAt: now + 3_600_000 });
  expect(await statusesOf(temporary)).toEqual([200, 200, 200]);

  await Promise.all(all().map((isolate) => isolate.advance(3_600_000)));

  expect(await statusesOf(temporary)).toEqual([401, 401, 401]);
  expect(await statusesOf(key)).toEqual([200, 200, 200]);
});
