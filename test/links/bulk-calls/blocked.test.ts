import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MAX_ERROR_DETAILS } from "#src/platform/http/limits.ts";
import { MAX_SQL_TEXT_BYTES } from "#src/limits.ts";
import { MAX_BULK_LINKS } from "#src/links/limits.ts";
import { isCountry } from "#src/links/normalize.ts";
import { forgetTakenDownHosts } from "#src/redirect/lookup/taken-down-hosts.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const COUNTRIES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry);

beforeEach(forgetTakenDownHosts);
afterEach(() => {
  vi.restoreAllMocks();
  forgetTakenDownHosts();
});

it("binds no value above the limit of the database for links with many blocked destinations", async () => {
  const { key } = await createAccount();
  const imposed = packVerdict({ state: "blocked", reason: "phishing", since: 1 }, false);
  await env.DB.prepare(
    "INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by) VALUES ('t', 'host', ?1, ?1, ?2, 1, 'o')",
  )
    .bind("bad.example", imposed)
    .run();
  const geo = Object.fromEntries(COUNTRIES.map((country) => [country, "https://bad.example/"]));
  const links = Array.from({ length: MAX_BULK_LINKS }, () => ({ url: "https://bad.example/", geo }));
  const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as D1PreparedStatement, "bind");
  const headers = { "Idempotency-Key": "blocked" };
  const response = await call("POST", "/api/links/bulk", { key, headers, body: { links } });
  const { results } = await jsonOf<{ results: ErrorJson[] }>(response);
  expect(results.map(({ code, details }) => [code, details?.length])).toEqual(
    links.map(() => ["destination_blocked", MAX_ERROR_DETAILS]),
  );
  const sizes = bind.mock.calls.flat().map((value) => (typeof value === "string" ? value.length : 0));
  expect(Math.max(...sizes)).toBeGreaterThan(MAX_SQL_TEXT_BYTES / 20);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_SQL_TEXT_BYTES);
  // Repeated, it gets the same answer from the journal.
  expect(await jsonOf(await call("POST", "/api/links/bulk", { key, headers, body: { links } }))).toEqual({ results });
});
