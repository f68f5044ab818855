import { afterAll, beforeAll, expect, it } from "vitest";
import { SCHEMA_VERSION } from "../../src/access/health/probe.ts";
import { toMigrated } from "../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../tools/scripts/migrations.ts";
import { schemaAt } from "../tools/scripts/support/versions.ts";
import { callApi, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { Browser, LOCAL, signIn, signUp, tokenOf } from "./support/browser.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// The code runs with the version of the tables that it needs. Then a deployment brings the tables to the newest version, and its own code comes
// later, or not at all: the upload fails, is gradual, or is rolled back.

let service: Service<"before" | "after">;
let before: Isolate;
let after: Isolate;

beforeAll(async () => {
  service = await startService(
    { before: "one", after: "two" },
    { variables: { ...LOCAL }, schema: schemaAt(SCHEMA_VERSION) },
  );
  ({ before, after } = service.isolates);
});
afterAll(() => service.stop());

const locationOf = async (isolate: Isolate, slug: string) => {
  const { status, headers } = await isolate.get(`/${slug}`);
  return [status, headers["location"]];
};

it("does everything as before while and after the tables are changed, with the data of before", async () => {
  const { browser, email } = await signUp(before, "ann@example.com");
  const { key } = (await browser.send("POST", "/api/keys", { name: "Robot" })).body as { key: { value: string } };
  const fields = {
    url: "https://example.com/old",
    title: "Old",
    tags: ["sale"],
    geo: { DE: "https://example.com/de" },
  };
  const old = await createLink(before, key.value, { ...fields, slug: "old" });
  const hook = { url: "https://hooks.example.com/", events: ["link.create"] };
  expect((await callApi(before, key.value, "POST", "/api/webhooks", hook)).status).toBe(201);

  // Both keep working while the file runs.
  const migration = migrate(toMigrated(service.db, "The database"), readSchema());
  const calls = Array.from({ length: 20 }, async (_, number) => {
    await createLink(before, key.value, { url: `https://example.com/${number}`, slug: `while-${number}` });
    expect(await locationOf(after, "old")).toEqual([302, "https://example.com/old"]);
  });
  await Promise.all([migration, ...calls]);
  const { version } = (await service.db.prepare("SELECT max(version) AS version FROM schema_migrations").first()) as {
    version: number;
  };
  expect(version).toBe(readSchema().version);

  for (const isolate of [before, after]) {
    const { body } = await browser.send("GET", "/api/links?search=old");
    expect(body["links"]).toMatchObject([{ id: old.id, ...fields, slug: "old" }]);
    const again = await signIn(isolate, email);
    expect(await again.status()).toBe(200);

    const link = await createLink(isolate, key.value, { url: "https://example.com/new", slug: "new", tags: ["sale"] });
    expect(await locationOf(isolate, "new")).toEqual([302, "https://example.com/new"]);
    await updateLink(isolate, key.value, link.id, { url: "https://example.com/changed", slug: "renamed" });
    expect(await locationOf(isolate, "renamed")).toEqual([302, "https://example.com/changed"]);
    const { links } = (await callApi(isolate, key.value, "GET", "/api/links?tag=sale")).json() as { links: object[] };
    expect(links).toHaveLength(2);
    await deleteLink(isolate, key.value, link.id);
    expect((await isolate.get("/renamed")).status).toBe(404);
  }

  const path = "/api/auth/password/forgot";
  expect((await new Browser(after).send("POST", path, { email })).status).toBeLessThan(300);
  const token = await tokenOf(after, email, "reset-password");
  await new Browser(after).auth("/password/reset", { token, password: "forty green umbrellas" });
  expect(await (await signIn(before, email, "forty green umbrellas")).status()).toBe(200);
  const health = await before.get("/api/health", { "CF-Connecting-IP": "127.0.0.1" });
  expect(health.json()).toMatchObject({ status: "ok", schemaVersion: readSchema().version, problems: [] });
  expect(service.logLines.filter((line) => line.includes("request_failed"))).toEqual([]);
});
