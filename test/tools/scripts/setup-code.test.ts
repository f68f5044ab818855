import { beforeEach, expect, test, vi } from "vitest";
import { hashSetupCode } from "../../../src/identity/setup/code.ts";
import { SETUP_CODE_TTL_MS } from "../../../src/identity/setup/limits.ts";
import { manageAccount } from "../../../tools/scripts/account.ts";
import { deploy } from "../../../tools/scripts/deploy.ts";
import type { Wrangler } from "../../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "./support/command.ts";
import { newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

const CODE = /[A-Z\d]{5}(?:-[A-Z\d]{1,5}){5}/g;

let account: FakeWrangler;
let output: string;
beforeEach(async () => {
  account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  account.secrets.set("ENCRYPTION_KEYS", "k1:mine");
  account.deployed = [];
  output = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  return () => {
    process.stdout.isTTY = isTTY;
    vi.restoreAllMocks();
  };
});

/** Runs the command, and returns the codes that it prints. */
async function printed(run: () => Promise<void>): Promise<string[]> {
  output = "";
  await run();
  return [...new Set(output.match(CODE))];
}

const deployment = () => deploy(["--url", "https://go.example"], account.run, temporaryFolder());
const setupCode = () => manageAccount(["setup-code", "--remote"], account.run);
const storedHash = () => account.data.prepare("SELECT code_hash FROM installation").first<string>("code_hash");
const change = (sql: string) => account.data.prepare(sql).run();

test("a deployment at a terminal prints a code, which counts, and no other one while it counts", async () => {
  const [code = "", ...more] = await printed(deployment);
  expect(more).toEqual([]);
  expect(output).toContain(`Or open https://go.example/app/claim#token=${code}`);
  expect(await storedHash()).toBe(await hashSetupCode(code));
  expect(await printed(deployment)).toEqual([]);
  expect(await storedHash()).toBe(await hashSetupCode(code));

  await change(`UPDATE installation SET code_made_at = code_made_at - ${SETUP_CODE_TTL_MS}`);
  const [next = ""] = await printed(deployment);
  expect(next).not.toBe(code);
  expect(await storedHash()).toBe(await hashSetupCode(next));
});

test("a deployment without a terminal makes no code", async () => {
  process.stdout.isTTY = false;
  expect(await printed(deployment)).toEqual([]);
  expect(await storedHash()).toBeNull();
});

test.each([
  ["was claimed", "UPDATE installation SET claimed_at = 1, claimed_by = 'u'"],
  [
    "has a person",
    "INSERT INTO users VALUES ('u', 'ann@example.com', 'ann@example.com', 'Ann', NULL, 1, '', NULL, NULL)",
  ],
])("no command makes a code for an installation that %s", async (_, sql) => {
  await change(sql);
  expect(await printed(deployment)).toEqual([]);
  await expect(setupCode()).rejects.toThrow("This installation has an owner already, so no setup code counts.");
  expect(await storedHash()).toBeNull();
});

test("setup-code prints another code at any time, which ends the former one", async () => {
  const [first = ""] = await printed(deployment);
  const [second = ""] = await printed(setupCode);
  expect(second).not.toBe(first);
  expect(await storedHash()).toBe(await hashSetupCode(second));
  expect(output).toContain("enter the setup code within 7 days");
});

test("a code that cannot be made fails no deployment, and the end names the command that makes one", async () => {
  const run: Wrangler = async (args, stdio) => {
    const outcome = await account.run(args, stdio);
    if (args[0] === "deploy") account.denied.add("d1");
    return outcome;
  };
  await deploy(["--url", "https://go.example"], run, temporaryFolder());
  expect(output).toContain("The service runs at https://go.example");
  expect(output).toMatch(
    /no setup code could be made: .*Authentication error[^]*npm run account -- setup-code --remote/,
  );
});
