import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync, chmodSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { normalizeBaseUrl } from "../../../packages/cli/src/config/connection.ts";
import { configFolder } from "../../../packages/cli/src/config/folder.ts";
import { installation, prepareInstallation } from "./support/installation.ts";
import { Tern } from "./support/tern.ts";

let url: string;

prepareInstallation();
beforeAll(() => void (url = installation.front.origin));

interface Identity {
  key: { id: string };
}

const configOf = ({ folder }: Tern) => join(folder, "tern/config.json");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("the configuration folder is the system's own, unless XDG_CONFIG_HOME names another", () => {
  expect(configFolder({}, "linux")).toBe(join(homedir(), ".config/tern"));
  expect(configFolder({}, "darwin")).toBe(join(homedir(), "Library/Application Support/tern"));
  expect(configFolder({ APPDATA: "/roaming" }, "win32")).toBe(join("/roaming", "tern"));
  for (const system of ["linux", "darwin", "win32"] as const) {
    expect(configFolder({ XDG_CONFIG_HOME: "/xdg", APPDATA: "/roaming" }, system)).toBe("/xdg/tern");
  }
});

test("login checks the key and stores it in a file that only its owner can read", async () => {
  const tern = new Tern();
  const key = await installation.newKey();
  const login = await tern.run(["login", "--url", `${url}/`, "--key-stdin"], { input: `${key}\n` });
  expect(login).toMatchObject({ exitCode: 0, output: expect.stringContaining(`Logged in to ${url} as test`) });
  expect(login.output).not.toContain(key);
  expect([modeOf(configOf(tern)), modeOf(join(tern.folder, "tern"))]).toEqual(["600", "700"]);
  expect(await tern.json("whoami")).toMatchObject({ login: "default", baseUrl: url, account: { name: "test" } });

  // A file that others can read becomes private again with the next login, and others stay as they are.
  chmodSync(configOf(tern), 0o644);
  const second = await installation.newKey();
  await tern.run(["login", "--url", url, "--key-stdin", "--as", "other"], { input: second });
  expect(modeOf(configOf(tern))).toBe("600");
  expect(JSON.parse(readFileSync(configOf(tern), "utf8"))).toEqual({
    logins: { default: { baseUrl: url, apiKey: key }, other: { baseUrl: url, apiKey: second } },
  });
  const mine = await tern.json<Identity>("whoami");
  const others = await tern.json<Identity>("whoami", "--as", "other");
  expect(mine.key.id).not.toBe(others.key.id);

  expect((await tern.run(["logout"])).output).toContain("stays valid");
  expect(await tern.run(["whoami"])).toMatchObject({
    exitCode: 2,
    output: "",
    errors: expect.stringContaining("Run tern login"),
  });
  expect(await tern.json("whoami", "--as", "other")).toMatchObject({ key: { id: others.key.id } });
});

test("login takes a host of this machine without a scheme as http, and all others as https", async () => {
  const tern = new Tern();
  const key = await installation.newKey();
  const { port } = new URL(url);
  for (const host of ["localhost", "127.0.0.1"]) {
    const login = await tern.run(["login", "--url", `${host}:${port}`, "--key-stdin"], { input: key });
    expect(login).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(`Logged in to http://${host}:${port} as`),
    });
  }
  expect(normalizeBaseUrl("[::1]:8787")).toBe("http://[::1]:8787");
  expect(normalizeBaseUrl("localhost.example:8787")).toBe("https://localhost.example:8787");
  expect(normalizeBaseUrl("go.example")).toBe("https://go.example");
});

test("logins at the same time are all kept, also after one that was killed", async () => {
  const tern = new Tern();
  const key = await installation.newKey();
  const names = Array.from({ length: 6 }, (_, number) => `login-${number}`);
  mkdirSync(join(tern.folder, "tern"));
  writeFileSync(`${configOf(tern)}.lock`, "");
  utimesSync(`${configOf(tern)}.lock`, 0, 0);
  const outcomes = await Promise.all(
    names.map((name) => tern.run(["login", "--url", url, "--key-stdin", "--as", name], { input: key })),
  );
  expect(outcomes.map(({ exitCode, errors }) => [exitCode, errors])).toEqual(names.map(() => [0, ""]));
  const { logins } = JSON.parse(readFileSync(configOf(tern), "utf8")) as { logins: object };
  expect(Object.keys(logins).toSorted()).toEqual(names);
  expect(readdirSync(join(tern.folder, "tern"))).toEqual(["config.json"]);
});

test("login --key asks for URL and key in a terminal, and shows the key nowhere", async () => {
  const tern = new Tern();
  const key = await installation.newKey();
  const { exitCode, output } = await tern.runInTerminal(["login", "--key"], {}, [url, key]);
  expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining("Logged in") });
  expect(output).not.toContain(key);
  expect(readFileSync(configOf(tern), "utf8")).toContain(key);
});

test("login sends no key to TERN_BASE_URL if the login is for another service", async () => {
  const tern = new Tern();
  const key = await installation.newKey();
  await tern.run(["login", "--url", url, "--key-stdin"], { input: key });
  const environment = { TERN_BASE_URL: "http://127.0.0.1:9" };
  const refused = await tern.run(["login", "--key-stdin"], { input: key, ...environment });
  expect(refused).toMatchObject({ exitCode: 2, errors: expect.stringContaining("Choose with --url.") });
  const chosen = await tern.run(["login", "--url", url, "--key-stdin"], { input: key, ...environment });
  expect(chosen.exitCode).toBe(0);
});

test("login refuses a wrong key and a wrong URL, and stores nothing", async () => {
  const tern = new Tern();
  const unknown = `svc_sk_live_${"0".repeat(64)}`;
  const login = (address: string, input: string) => tern.run(["login", "--url", address, "--key-stdin"], { input });
  expect(await login(url, unknown)).toMatchObject({
    exitCode: 1,
    errors: expect.stringMatching(/Error: .*\n.*tern login.*\n\(status 401, unauthorized, request [\w-]+\)/),
  });
  expect(await login(url, "secret")).toMatchObject({ exitCode: 2, errors: expect.stringContaining("API key must be") });
  expect(await login("http://go.example", unknown)).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("https://"),
  });
  expect(await login("ftp://go.example", unknown)).toMatchObject({ exitCode: 2 });
  expect(await tern.run(["login"])).toMatchObject({ exitCode: 2, errors: expect.stringContaining("--url") });
  expect(() => statSync(configOf(tern))).toThrow("ENOENT");
});

test("the environment wins over the logins, and key and URL come from one place", async () => {
  const stored = new Tern();
  const key = await installation.newKey();
  await stored.run(["login", "--url", url, "--key-stdin"], { input: key });
  const environment = { TERN_API_KEY: await installation.newKey(), TERN_BASE_URL: url };
  const whoami = async (variables: Record<string, string>, ...args: string[]) =>
    stored.run(["whoami", "--json", ...args], variables);
  expect(JSON.parse((await whoami(environment)).output)).toMatchObject({ login: null });
  expect(await whoami(environment, "--as", "default")).toMatchObject({ exitCode: 2 });
  expect(await whoami({ TERN_API_KEY: key })).toMatchObject({ exitCode: 2 });
  // The stored key is not sent to another service.
  expect(await whoami({ TERN_BASE_URL: "http://127.0.0.1:9" })).toMatchObject({ exitCode: 2 });
});

test("an unknown login and a broken file are named", async () => {
  const tern = new Tern();
  expect(await tern.run(["whoami", "--as", "staging"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("tern login --as staging"),
  });
  mkdirSync(join(tern.folder, "tern"));
  writeFileSync(configOf(tern), "{");
  expect(await tern.run(["whoami"])).toMatchObject({ exitCode: 2, errors: expect.stringContaining(configOf(tern)) });
});

test("listen --print-secret prints the secret alone, and with --json an object", async () => {
  const tern = new Tern();
  await tern.run(["login", "--url", url, "--key-stdin"], { input: await installation.newKey() });
  const { output } = await tern.run(["listen", "--print-secret"]);
  expect(output).toMatch(/^whsec_[\w+/]+=\n$/);
  expect(await tern.json("listen", "--print-secret")).toEqual({ secret: output.trim() });
});
