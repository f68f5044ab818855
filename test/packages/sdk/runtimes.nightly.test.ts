import { execFile, execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWorker } from "../../docs/support/receivers.ts";
import { Tern } from "@tern/sdk";
import { createAccount } from "../../e2e/support/accounts.ts";
import { startHostProxy } from "../../e2e/support/host-proxy.ts";
import { ORIGIN, startService, type Service } from "../../e2e/support/service.ts";
import { bundle } from "./support/bundle.ts";
import { startGateway, type Gateway } from "./support/gateway.ts";

const SAMPLE = resolve("test/packages/sdk/support/sample.js");
/** Commands of other runtimes, such as `SDK_RUNTIMES="/opt/node20/bin/node bun deno"`. `.ci/nightly` installs them. */
const OTHERS = (process.env["SDK_RUNTIMES"] ?? "").split(" ").filter(Boolean);
const OPTIONS: Record<string, string[]> = { deno: ["run", "--quiet", "--allow-net", "--allow-env", "--allow-read"] };

let service: Service<"here">;
let gateway: Gateway;
let variables: Record<string, string>;

beforeAll(async () => {
  service = await startService({ here: "one" });
  gateway = await startGateway(service.isolates.here.address, new URL(ORIGIN).host);
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

const EXPECTED = `created ${ORIGIN}
listed Grüße
downloaded PNG
followed 302 https://example.com/
failed true 404 not_found
aborted AbortError
late timeout
verified webhook.test`;

async function newAccount(): Promise<void> {
  const { key } = await createAccount(service.db);
  variables = { TERN_API_KEY: key, TERN_BASE_URL: gateway.origin };
}

it.each([process.execPath, ...OTHERS])("works in %s", async (command) => {
  await newAccount();
  console.log(command, execFileSync(command, ["--version"], { encoding: "utf8" }).split("\n")[0]);
  const name = command.split("/").at(-1) ?? "";
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(command, [...(OPTIONS[name] ?? []), SAMPLE], { env });
  expect(stdout.trim()).toBe(EXPECTED);
});

it("works in Workers", async () => {
  await newAccount();
  const worker = await startWorker(
    (await bundle(resolve("test/packages/sdk/support/sample-worker.js"))).code,
    variables,
  );
  const response = await fetch(worker.url);
  expect(await response.text()).toBe(EXPECTED);
  await worker.stop();
});

it("opens a WebSocket with its key", async () => {
  await newAccount();
  const proxy = await startHostProxy(service.isolates.here.address, new URL(ORIGIN).host);
  const client = new Tern({ apiKey: variables["TERN_API_KEY"] ?? null, baseUrl: proxy.origin });
  const socket = client.clicks.watch({ tag: ["sale"] });
  const message = await new Promise<string>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => resolve(data));
    socket.addEventListener("error", () => reject(new Error("refused")));
  });
  expect(JSON.parse(message)).toEqual({ expiresAt: expect.any(Number) as number });
  socket.close();
  proxy.stop();
});
