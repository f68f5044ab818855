import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Tern, webhooks } from "@tern/sdk";
import { createAccount } from "../e2e/support/accounts.ts";
import { ROOT } from "../e2e/support/build.ts";
import { bundle } from "../packages/sdk/support/bundle.ts";
import { until } from "../support/until.ts";
import { startInstallation, type Installation } from "./support/installation.ts";
import { startProgram, startWorker, type RunningReceiver } from "./support/receivers.ts";

let installation: Installation;
let client: Tern;
let key: string;

beforeAll(async () => {
  installation = await startInstallation();
  ({ key } = await createAccount(installation.service.db));
  client = new Tern({ apiKey: key, baseUrl: installation.gateway.origin });
});
afterAll(() => installation.stop());

async function start(file: string, secret: string): Promise<RunningReceiver> {
  const path = join(ROOT, "examples/sdk", file);
  const variables = { TERN_API_KEY: key, TERN_BASE_URL: installation.gateway.origin, WEBHOOK_SECRET: secret };
  if (file === "express.js") return startProgram(process.execPath, path, variables);
  return startWorker((await bundle(path)).code, variables);
}

describe.each(["express.js", "hono-worker.js"])("examples/sdk/%s", (file) => {
  let program: RunningReceiver;
  let webhookId: string;
  let secret: string;
  const hook = () => `${program.url}hooks/tern`;

  beforeAll(async () => {
    const url = installation.receiver.origin;
    ({ id: webhookId, secret } = await client.webhooks.create({ url, events: ["link.create"] }));
    program = await start(file, secret);
    await client.webhooks.update(webhookId, { url: hook() });
  });
  afterAll(() => program.stop());

  it("makes one link of an order", async () => {
    const shorten = () =>
      fetch(`${program.url}orders/${file}-17/link`, { method: "POST" }).then((response) => response.json());
    const first = await shorten();
    expect(first).toEqual({ shortUrl: expect.stringMatching(/^http:\/\/localhost:8787\/\w+$/) as string });
    expect(await shorten()).toEqual(first);
    await until(() => program.printed().includes("link.create"));
  });

  it("accepts deliveries of the service, and refuses forged ones", async () => {
    expect(await client.webhooks.sendTestPing(webhookId)).toEqual({ success: true, status: 204 });
    const bodyOf = (webhookId: string) =>
      `{"event":"webhook.test","timestamp":1790000000000,"data":{"webhookId":"${webhookId}"}}`;
    const body = bodyOf("x");
    const send = async (signedWith: string, timestamp?: number) => {
      const headers = await webhooks.sign(body, signedWith, timestamp === undefined ? {} : { timestamp });
      return (await fetch(hook(), { method: "POST", body, headers })).status;
    };
    expect(await send(secret)).toBe(204);
    // Bytes have no Content-Type of their own. By default, Express reads bodies of 100 KB.
    for (const id of ["y", "z".repeat(200_000)]) {
      const { "Content-Type": _, ...headers } = await webhooks.sign(bodyOf(id), secret);
      const sent = await fetch(hook(), { method: "POST", body: new TextEncoder().encode(bodyOf(id)), headers });
      expect(sent.status).toBe(204);
    }
    expect(await send(secret, 1_790_000_000)).toBe(401);
    expect(await send("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=")).toBe(401);
    expect((await fetch(hook(), { method: "POST", body })).status).toBe(401);
  });
});
