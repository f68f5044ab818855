import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { deploy } from "../../scripts/deploy.ts";
import { optionValue } from "../../scripts/options.ts";
import type { Wrangler } from "../../scripts/wrangler.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

const URL = "https://go.example";

let account: FakeWrangler;
let output: string;
/** The arguments of each `wrangler deploy`. */
let deployments: string[][];

beforeEach(async () => {
  account = new FakeWrangler(await emptyDatabase());
  output = "";
  deployments = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  return () => {
    process.stdout.isTTY = isTTY;
    vi.restoreAllMocks();
  };
});

const wrangler: Wrangler = (args, ...more) => {
  if (args[0] === "deploy") deployments.push([...args]);
  return account.run(args, ...more);
};
/** In an empty folder, so that settings of the developer's own do not count. */
const run = (...args: string[]) => deploy(args, wrangler, temporaryFolder());

interface Configuration {
  name: string;
  workers_dev?: boolean;
  preview_urls?: boolean;
  routes?: unknown;
  secrets?: unknown;
  services?: unknown;
  triggers?: unknown;
  placement?: unknown;
  assets?: unknown;
  vars: Record<string, string>;
}

/** The configuration that a deployment names. */
function configOf(args: readonly string[] = []): Configuration {
  return JSON.parse(readFileSync(optionValue(args, "--config") ?? "", "utf8")) as Configuration;
}

test("a split deployment uploads the full Worker with the key, then the redirect Worker with the domain", async () => {
  await run("--split", "--url", URL);
  const [full, redirect, ...more] = deployments;
  expect(more).toEqual([]);
  expect(full?.slice(2)).toEqual(["--env=", `--var=BASE_URL:${URL}`, expect.stringMatching(/^--secrets-file=/)]);
  expect(redirect?.slice(2)).toEqual(["--env=", `--var=BASE_URL:${URL}`, "--domain=go.example"]);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toMatch(/^k1:/);
  expect(output).toContain(`The service runs at ${URL}`);
});

test("nobody reaches the full Worker but the redirect Worker, which has no secret", async () => {
  await run("--split", "--url", URL);
  const [full, redirect] = deployments.map(configOf);
  expect(full).toMatchObject({ name: "tern", workers_dev: false, preview_urls: false, vars: { SPLIT: "on" } });
  expect(full).toMatchObject({ triggers: { crons: ["* * * * *"] }, placement: { mode: "smart" } });
  expect(full).not.toHaveProperty("routes");
  expect(redirect).toMatchObject({ name: "tern-redirect", services: [{ binding: "FULL_WORKER", service: "tern" }] });
  expect(Object.keys(redirect?.vars ?? {})).toEqual(["ANONYMOUS_HOST", "BASE_URL", "NOT_RECORDED"]);
  for (const name of ["secrets", "triggers", "assets", "placement"]) expect(redirect).not.toHaveProperty(name);
});

test("routes are for the redirect Worker, other options for the full one", async () => {
  const route = ["--route", "go.example/*"];
  await run("--split", "--url", URL, "--var", "SIGN_UP:closed", ...route, "--dry-run");
  const [full, redirect] = deployments;
  expect(full).toEqual(expect.arrayContaining(["--var", "SIGN_UP:closed", "--dry-run"]));
  expect(redirect).toEqual(expect.arrayContaining([...route, "--dry-run"]));
  expect(full?.join(" ")).not.toMatch(/--route|--domain/);
  expect(redirect?.join(" ")).not.toMatch(/SIGN_UP|--domain/);
});

test("a dry run needs no account, prints both uploads and changes nothing", async () => {
  account.isLoggedIn = false;
  await run("--split", "--url", URL, "--dry-run");
  expect(output).toContain('not done: Create the D1 database "tern"');
  expect(output).toMatch(/not done: wrangler deploy --config=\S+full\.json .*--dry-run/);
  expect(output).toMatch(/not done: wrangler deploy --config=\S+redirect\.json .*--domain=go\.example .*--dry-run/);
  expect(account.takeChanges()).toEqual([]);
});

test("an installation becomes split and one Worker again, with the same data and key", async () => {
  await run("--url", URL);
  const key = account.secrets.get("ENCRYPTION_KEYS");
  account.takeChanges();
  await run("--split", "--url", URL);
  expect(account.takeChanges()).toEqual(["deploy", "deploy"]);
  deployments = [];
  await run("--url", URL);
  expect(account.takeChanges()).toEqual(["deploy"]);
  expect(deployments).toEqual([["deploy", `--var=BASE_URL:${URL}`, "--domain=go.example"]]);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
});

test("the redirect Worker also gets ANONYMOUS_HOST as a domain", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "deploy.toml"), '[vars]\nANONYMOUS_HOST = "go.example.net"\n');
  await deploy(["--split", "--url", URL], wrangler, folder);
  const [full, redirect] = deployments;
  expect(redirect).toEqual(expect.arrayContaining(["--domain=go.example", "--domain=go.example.net"]));
  expect(full?.filter((arg) => arg.startsWith("--domain"))).toEqual([]);
  for (const each of [full, redirect]) expect(configOf(each).vars["ANONYMOUS_HOST"]).toBe("go.example.net");
});

test("on workers.dev the URL has the name of the redirect Worker", async () => {
  await expect(run("--split", "--url", "https://tern.someone.workers.dev")).rejects.toThrow("https://tern-redirect.");
  expect(account.takeChanges()).toEqual([]);
  await run("--split", "--url", "https://tern-redirect.someone.workers.dev");
  expect(deployments.join(" ")).not.toContain("--domain");
});
