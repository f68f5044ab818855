import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createAccount } from "./support/accounts.ts";
import { Browser, LOCAL, signUp } from "./support/browser.ts";
import { startKeyProxy, type KeyProxy } from "./support/key-proxy.ts";
import { EXPECTED_FAILURES, type Revision } from "./support/mcp-failures.ts";
import { startService, type Service } from "./support/service.ts";

// The conformance suite of the protocol and its inspector, against the real service.

/** The folder of both programs. `.ci/nightly` installs them. */
const INSTALLED = process.env["MCP_TOOLS"];
const [CONFORMANCE, INSPECTOR] = ["conformance/dist/index.js", "inspector/clients/launcher/build/index.js"].map(
  (path) => join(INSTALLED ?? "", "node_modules/@modelcontextprotocol", path),
) as [string, string];

let proxy: KeyProxy;
let service: Service<"one">;
let key: string;

beforeAll(async () => {
  if (INSTALLED === undefined) return;
  proxy = await startKeyProxy();
  service = await startService({ one: "one" }, { variables: { ...LOCAL, BASE_URL: proxy.origin } });
  ({ key } = await createAccount(service.db));
});
afterAll(async () => {
  if (INSTALLED === undefined) return;
  await service.stop();
  await proxy.stop();
});

/** An empty folder, until the end of the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs a program in an empty folder, which is also its home. */
async function run(program: string, args: readonly string[]) {
  const folder = temporaryFolder();
  const options = { cwd: folder, env: { ...process.env, HOME: folder }, maxBuffer: 2 ** 26 };
  const ended = await promisify(execFile)(process.execPath, [program, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { folder, ...ended };
}

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
  details?: { message?: string };
}

interface Outcome {
  /** Scenario and check. Some checks are made several times. */
  name: string;
  status: Check["status"];
  message: string;
}

/** Makes the checks of a requirement set. */
async function runConformance(revision: Revision): Promise<Outcome[]> {
  proxy.target = { address: service.isolates.one.address, key };
  const args = ["server", "--url", `${proxy.origin}/mcp`, "--requirements", revision, "--output-dir", "results"];
  const { folder, stderr } = await run(CONFORMANCE, args);
  const outcomes = readOutcomes(folder);
  expect(outcomes.length, stderr).toBeGreaterThan(0);
  return outcomes;
}

/** The outcomes that the suite wrote into the folder. */
function readOutcomes(folder: string): Outcome[] {
  return globSync("results/*/checks.json", { cwd: folder }).flatMap((file) => {
    const scenario = basename(dirname(file)).replace(/^(?:server|authorization)-(.*)-\d{4}-\d\d-\d\dT.*$/, "$1");
    const checks = JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[];
    return checks.map(({ id, status, errorMessage, details }) => ({
      name: `${scenario}/${id}`,
      status,
      message: errorMessage ?? details?.message ?? "",
    }));
  });
}

describe.skipIf(INSTALLED === undefined)("the conformance suite", () => {
  it.each([
    ["2025-11-25", 37],
    ["2026-07-28", 106],
  ] as const)("of %s finds nothing but what is expected, and %i checks pass", async (revision, passing) => {
    const outcomes = await runConformance(revision);
    const failed = outcomes.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    const expected = new Map(
      EXPECTED_FAILURES.flatMap(({ checks, says }) => (checks[revision] ?? []).map((name) => [name, says] as const)),
    );
    expect(failed.filter(({ name, message }) => !expected.get(name)?.test(message))).toEqual([]);
    // What is expected to fail must not pass.
    expect([...expected.keys()].filter((name) => !failed.some((failure) => failure.name === name))).toEqual([]);
    expect(outcomes.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThanOrEqual(passing);
  });
});

/** A port of this machine that nothing uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe.skipIf(INSTALLED === undefined)("the conformance suite of authorization servers", () => {
  it("registers a client, which gets a token after a person has allowed it", async () => {
    const { one } = service.isolates;
    proxy.target = { address: one.address, key: null };
    const registration = await one.request("POST", "/oauth/register", {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "Suite", redirect_uris: ["http://127.0.0.1/callback"] }),
    });
    const { client_id: clientId = "" } = registration.json() as { client_id?: string };
    const { browser } = await signUp(one, "ann@example.com", "Ann Lee", new Browser(one, proxy.origin));

    const folder = temporaryFolder();
    const client = ["--client-id", clientId, "--port", String(await freePort()), "--resource", `${proxy.origin}/mcp`];
    const suite = spawn(
      process.execPath,
      [CONFORMANCE, "authorization", "--url", proxy.origin, ...client, "--output-dir", "results"],
      { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(suite, "close") as Promise<[number]>;
    let printed = "";
    for await (const text of suite.stdout) {
      printed += String(text);
      // The suite waits for a person to open this address.
      const [, query] = /^http\S+\/oauth\/authorize\?(\S+)\n/m.exec(printed) ?? [];
      if (query === undefined) continue;
      const scopes = ["links:read", "clicks:read"];
      const { redirectUri } = await browser.auth("/apps/decide", { query, allow: true, scopes });
      await fetch(redirectUri as string);
      printed = "";
    }
    expect(await ended).toEqual([0, null]);
    const outcomes = readOutcomes(folder);
    expect(outcomes.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(outcomes.map(({ name }) => name)).toContainEqual(expect.stringContaining("authorization-code-grant"));
  });
});

describe.skipIf(INSTALLED === undefined)("the inspector", () => {
  const inspect = async (era: string, ...args: string[]) => {
    proxy.target = { address: service.isolates.one.address, key: null };
    const server = ["--server-url", `${proxy.origin}/mcp`, "--transport", "http", "--protocol-era", era];
    const output = ["--header", `Authorization: Bearer ${key}`, "--format", "json", "--quiet"];
    const { code, stdout, stderr } = await run(INSPECTOR, ["--cli", ...server, ...output, ...args]);
    // Not zero after a failed call, and with --strict after an error in a schema.
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
  };

  it.each(["legacy", "modern"])("lists tools without errors in their schemas, and uses them (%s)", async (era) => {
    const { tools } = await inspect(era, "--method", "tools/list", "--strict");
    expect(tools).toHaveLength(14);
    const url = "https://example.com/inspected";
    const created = await inspect(
      era,
      "--method",
      "tools/call",
      "--tool-name",
      "create_link",
      "--tool-arg",
      `url=${url}`,
    );
    const { link } = created["structuredContent"] as { link: { id: string } };
    const read = await inspect(era, "--method", "resources/read", "--uri", `tern://links/${link.id}`);
    expect(JSON.stringify(read)).toContain(url);
    const prompt = ["--prompt-name", "campaign_report", "--prompt-args", "tag=spring"];
    expect(await inspect(era, "--method", "prompts/get", ...prompt)).toMatchObject({ messages: [{ role: "user" }] });
  });
});
