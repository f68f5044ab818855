import { expect, it } from "vitest";
import { documents } from "../src/app.ts";
import * as withoutSafety from "../src/no-safety.ts";
import * as wing from "../src/safety/wing.ts";
import { ROUTES } from "../src/safety/routes.ts";
import { makeOperator, send } from "./safety/support.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf, runCron } from "./support/api.ts";

// A build without the wing `safety`. Every other test runs with such a build too (`.ci/nightly`).

const operations = ROUTES.map(({ contract: { method, path } }) => ({ method: method.toUpperCase(), path }));

it("has all that the rest of the Worker imports", () => {
  const instead: typeof wing = withoutSafety;
  expect(Object.keys(instead).toSorted()).toEqual(Object.keys(wing).toSorted());
});

it("answers 404 at every route of the wing", async () => {
  const operator = await makeOperator();
  expect(operations.length).toBeGreaterThan(15);
  for (const { method, path } of operations) {
    const at = path.replaceAll(/\{\w+\}/g, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f");
    const { status } = await send(operator, method, at);
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  expect((await call("GET", "/abuse")).status).toBe(404);
});

it("lacks the operations of the wing in both OpenAPI documents", () => {
  for (const document of [documents.ofApi(BASE_URL), documents.ofAll(BASE_URL)]) {
    const { paths } = document as { paths: object };
    expect(Object.keys(paths)).toContain("/api/links");
    for (const { path } of operations) expect(paths).not.toHaveProperty([path]);
  }
});

it("follows the links of strangers at once, and offers no report", async () => {
  const body = { url: "https://example.com/" };
  const { shortUrl } = await jsonOf<{ shortUrl: string }>(await call("POST", "/api/shorten", { body }));
  const followed = await call("GET", shortUrl);
  expect([followed.status, followed.headers.get("Location")]).toEqual([302, body.url]);
  expect(await (await call("GET", `${shortUrl}+`)).text()).not.toContain("abuse");
});

it("runs the cron and creates links", async () => {
  const { key } = await createAccount();
  await runCron(Date.now());
  expect((await createLink(key)).verdict).toEqual({ state: "allowed", reason: null, since: null });
});
