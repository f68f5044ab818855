import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { CONFIRMATION_TTL_MS } from "../../../src/platform/auth/limits.ts";
import { SCOPES } from "../../../src/platform/auth/scopes.ts";
import { MINUTE_MS } from "../../../src/limits.ts";
import type { Person } from "../../e2e/support/browser.ts";
import { appsOf, decide, logIn, newPerson, PEOPLE, startLogin, visit } from "./support/browser-login.ts";
import { installation, prepareInstallation } from "./support/installation.ts";
import { outcomeOf, Tern } from "./support/tern.ts";

let url: string;
let person: Person;
let tern: Tern;

prepareInstallation(PEOPLE);
beforeAll(() => void (url = installation.front.origin));
beforeEach(async () => {
  // One client may read the outbox 60 times a minute.
  await installation.here.advance(MINUTE_MS);
  person = await newPerson();
  tern = new Tern();
});

interface Stored {
  accessToken: string;
  refreshToken: string;
  expiresAt: number;
}

const configOf = ({ folder }: Tern) => join(folder, "tern/config.json");
const readConfig = () =>
  JSON.parse(readFileSync(configOf(tern), "utf8")) as { logins: { default: { tokens: Stored } } };
const readTokens = () => readConfig().logins.default.tokens;

/** Changes the stored tokens. */
function changeTokens(changes: Partial<Stored>): void {
  const login = readConfig().logins.default;
  const logins = { default: { ...login, tokens: { ...login.tokens, ...changes } } };
  writeFileSync(configOf(tern), JSON.stringify({ logins }));
}

/** The number of requests for tokens that `work` causes. */
async function countRefreshes(work: () => Promise<unknown>): Promise<number> {
  const { requests } = installation.front;
  const before = requests.length;
  await work();
  return requests.slice(before).filter((request) => request === "POST /oauth/token").length;
}

const statusWith = async (token: string) =>
  (await fetch(`${url}/api/links`, { headers: { Authorization: `Bearer ${token}` } })).status;

test("login leads through the browser, stores the tokens for the owner alone, and logout ends them", async () => {
  const login = await startLogin(tern);
  expect(Object.fromEntries(login.page.searchParams)).toMatchObject({
    resource: `${url}/api`,
    code_challenge_method: "S256",
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
  expect(login.page.searchParams.has("scope")).toBe(false);
  const page = await visit(await decide(person, login.page, true));
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("You can close this window.")]);
  const { exitCode, output } = await login.outcome;
  expect([exitCode, output]).toEqual([0, expect.stringContaining(`Logged in to ${url} as Ann Lee`)]);
  // The address is there for a person whose browser does not open.
  expect(output.replaceAll(/\s/g, "")).toContain(login.page.href);
  const { accessToken, refreshToken } = readTokens();
  expect(output).not.toContain(accessToken);
  expect((statSync(configOf(tern)).mode & 0o777).toString(8)).toBe("600");

  expect(await tern.json("whoami")).toMatchObject({
    login: "default",
    baseUrl: url,
    account: { name: "Ann Lee", id: expect.stringMatching(/^[\w-]{36}$/) },
    token: { scopes: SCOPES },
  });
  expect((await tern.run(["whoami"])).output).toMatch(
    /^account\tAnn Lee\n.*\nfrom\tlogin default.*\nscopes\tlinks:read, /m,
  );
  await tern.json("links", "create", "https://example.com/by-browser");
  expect(await tern.json("links", "list")).toMatchObject([{ url: "https://example.com/by-browser" }]);

  expect(readTokens().refreshToken).not.toBe(refreshToken);
  const { accessToken: last } = readTokens();
  expect(await statusWith(last)).toBe(200);
  expect(await tern.json("logout")).toEqual({ login: "default", deleted: true, revoked: true });
  expect([await statusWith(last), await appsOf(person)]).toEqual([401, []]);
  expect(readConfig().logins).toEqual({});
});

test("an answer with another state or issuer, and a request for another host, are refused, and the login goes on", async () => {
  const login = await startLogin(tern);
  const thief = await newPerson();
  const answer = await decide(person, login.page, true);
  // A thief makes a page of this computer bring their own code, with what they know of the login.
  const foreign = new URL(login.page);
  foreign.searchParams.set("state", "stolen");
  const stolen = await decide(thief, foreign, true);
  expect((await visit(stolen)).status).toBe(400);
  const changed = (name: string, value: string | null) => {
    const copy = new URL(answer);
    if (value === null) copy.searchParams.delete(name);
    else copy.searchParams.set(name, value);
    return copy;
  };
  for (const wrong of [changed("iss", "https://evil.example"), changed("iss", null), changed("state", null)])
    expect((await visit(wrong)).status).toBe(400);
  expect((await visit(answer, { Host: `rebound.example:${answer.port}` })).status).toBe(403);
  expect((await visit(new URL("/", answer))).status).toBe(404);
  expect((await visit(answer)).status).toBe(200);
  expect(await login.outcome).toMatchObject({ exitCode: 0 });
  expect([(await appsOf(person)).length, await tern.json("whoami")]).toMatchObject([
    1,
    { account: { name: "Ann Lee" } },
  ]);
});

test("a refusal and Ctrl-C end the login, and nothing is stored", async () => {
  const refused = await startLogin(tern);
  await visit(await decide(person, refused.page, false));
  expect(await refused.outcome).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("You refused the login"),
  });
  const left = await startLogin(tern);
  left.interrupt();
  expect(await left.outcome).toMatchObject({ exitCode: 130, output: expect.stringContaining("Nothing was changed.") });
  expect(() => statSync(configOf(tern))).toThrow("ENOENT");
});

test("where no browser can be opened, login says how to use a key", async () => {
  const args = ["login", "--url", url];
  const sentence = /No browser can be opened here, because .*tern login --key or --key-stdin\./s;
  expect(await tern.run(args)).toMatchObject({ exitCode: 2, errors: expect.stringMatching(sentence) });
  for (const environment of [{}, { DISPLAY: ":99", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }])
    expect(await tern.runInTerminal(args, environment)).toMatchObject({
      exitCode: 2,
      output: expect.stringMatching(sentence),
    });
});

test("processes that find an ending token use one refresh, and a refused token is replaced once", async () => {
  await logIn(tern, person);
  changeTokens({ expiresAt: 0 });
  const list = () => outcomeOf(tern.start(["links", "list", "--json"]));
  const outcomes: unknown[] = [];
  const refreshes = await countRefreshes(async () =>
    outcomes.push(...(await Promise.all(Array.from({ length: 8 }, list)))),
  );
  expect(outcomes).toEqual(outcomes.map(() => ({ exitCode: 0, output: "[]\n", errors: "" })));
  expect(refreshes).toBe(1);

  changeTokens({ accessToken: `svc_at_${"x".repeat(43)}` });
  expect(await countRefreshes(() => tern.json("links", "list"))).toBe(1);
  expect(await countRefreshes(() => tern.json("links", "list"))).toBe(0);
});

test("a login that the person has ended, and what it may not do, lead to a new login", async () => {
  await logIn(tern, person, ["links:read"]);
  expect(await tern.run(["links", "create", "https://example.com/"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringMatching(/Run tern login again, and allow it.*\n\(status 403/),
  });
  // A new login ends the one that it replaces.
  await logIn(tern, person);
  const apps = await appsOf(person);
  expect(apps).toHaveLength(1);
  await installation.here.advance(CONFIRMATION_TTL_MS);
  expect(await tern.run(["api", "POST", "/api/shared-pages", "name=Sale"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringMatching(/Run tern login again.*\n\(status 401/),
  });
  await person.browser.send("DELETE", `/api/auth/apps/${apps[0]?.id}`);
  expect(await tern.run(["links", "list"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringMatching(/The login default has ended.*\nRun tern login again/),
  });
});

test("listen continues its listener after a refresh", async () => {
  await logIn(tern, person);
  const { output } = await tern.run(["listen", "--print-secret"]);
  expect(output).toMatch(/^whsec_/);
  await tern.run(["whoami"]);
  expect((await tern.run(["listen", "--print-secret"])).output).toBe(output);
});

test("logout deletes the login also if the service cannot be reached, and says so", async () => {
  await logIn(tern, person);
  const { front } = installation;
  const { service } = front;
  front.service = undefined;
  const { exitCode, output, errors } = await tern.run(["logout"]);
  front.service = service;
  expect([exitCode, output]).toEqual([0, "Deleted the login default from this computer.\n"]);
  expect(errors).toMatch(/^The connection to .* failed\. End the former login at .*\/app\/settings\/apps\.$/m);
  expect([readConfig().logins, (await appsOf(person)).length]).toEqual([{}, 1]);
});
