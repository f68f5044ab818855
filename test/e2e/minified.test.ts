import { afterAll, beforeAll, expect, it } from "vitest";
import { Authenticator } from "../identity/people/authenticator.ts";
import { callApi, createAccount } from "./support/accounts.ts";
import { Browser, LOCAL, signUp } from "./support/browser.ts";
import { buildWorker } from "./support/build.ts";
import { FAILURE } from "./support/database.ts";
import { startService, type Service } from "./support/service.ts";

// What minifying can break: names that the code or a reader of the log needs, and libraries that rely on names of classes.

let service: Service<"here">;

beforeAll(async () => {
  service = await startService({ here: "one" }, { variables: LOCAL });
});
afterAll(() => service.stop());

it("tests the Worker as it is uploaded, which is minified", async () => {
  const [uploaded, named] = await Promise.all([buildWorker(), buildWorker(undefined, false)]);
  expect(uploaded.script.length).toBeLessThan(0.7 * named.script.length);
  expect(uploaded.script).not.toContain("src/app.ts");
});

it("logs the names of functions and errors", async () => {
  const { here } = service.isolates;
  const { key } = await createAccount(service.db);
  here.onDatabase = ({ moment, sql }) =>
    moment === "before" && sql.join(";").includes("INSERT INTO links") ? { error: FAILURE } : undefined;
  const answer = await callApi(here, key, "POST", "/api/links", { url: "https://example.com/" });
  here.onDatabase = undefined;
  expect([500, 503]).toContain(answer.status);
  const line = service.logLines.find((each) => each.includes('"event":"request_failed"')) ?? "";
  const { error, stack } = JSON.parse(line) as { error: string; stack: string };
  expect(error).toMatch(/^Error: /);
  expect(stack).toMatch(/at async insertLinks .*\n.*at async storeLinks /);
});

it("answers with the same texts", async () => {
  const { here } = service.isolates;
  const { key } = await createAccount(service.db);
  const answer = await callApi(here, key, "POST", "/api/links", { url: 1, maxClicks: 0, tags: "a" });
  expect(answer.json()).toEqual({
    error: "url: must be a string",
    code: "invalid_request",
    details: [
      { path: "url", code: "wrong_type", expected: "string", message: "must be a string" },
      { path: "tags", code: "wrong_type", expected: "array", message: "must be an array" },
      { path: "maxClicks", code: "too_small", min: 1, message: "must be at least 1" },
    ],
  });
});

it("registers a passkey, which then signs in", async () => {
  const { here } = service.isolates;
  const { browser } = await signUp(here, "passkey@example.com");
  const passkey = await Authenticator.create(LOCAL.BASE_URL);
  const options = await browser.auth("/passkeys/options");
  await browser.auth("/passkeys", await passkey.register(options));
  const visitor = new Browser(here);
  await visitor.auth("/passkeys/sign-in", await passkey.prove(await visitor.auth("/passkeys/sign-in/options")));
  expect(await visitor.status()).toBe(200);
});
