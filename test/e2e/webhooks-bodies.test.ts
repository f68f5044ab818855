import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Delivery } from "../../src/webhooks/delivery-contract.ts";
import { until } from "../support/until.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

// Receivers whose body cannot be read: the status line and the headers decide.

let service: Service<"here">;
let receiver: Server;
let origin: string;

beforeAll(async () => {
  receiver = createServer(answerOnce);
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const variables = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  service = await startService({ here: "one" }, { variables });
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

/** Answers with the text of the path, once the request is complete, and closes the connection. */
function answerOnce(socket: Socket): void {
  let received = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    const end = received.indexOf("\r\n\r\n");
    const length = /^content-length: (\d+)/im.exec(received)?.[1];
    if (end === -1 || received.length < end + 4 + Number(length)) return;
    const answer = new URL(received.split(" ")[1] ?? "", origin).searchParams.get("answer") ?? "";
    socket.end(answer);
  });
}

const GZIP = ["Content-Encoding: gzip", "Content-Length: 11"];
const PLAIN = '{"ok":true}';

/** The webhook of a new account, and its deliveries. */
async function createWebhook(answer: string[]) {
  const { key } = await createAccount(service.db);
  const text = `HTTP/1.1 ${answer.join("\r\n")}`;
  const body = { url: `${origin}/?answer=${encodeURIComponent(text)}`, events: ["link.create"] };
  const call = async (method: string, path: string, body?: object) =>
    (await callApi(service.isolates.here, key, method, path, body)).json();
  const { webhook } = (await call("POST", "/api/webhooks", body)) as { webhook: { id: string } };
  const path = `/api/webhooks/${webhook.id}`;
  return {
    key,
    ping: () => call("POST", path),
    read: async () =>
      ((await call("GET", path)) as { webhook: { status: string; disabledReason: string | null } }).webhook,
    deliveries: async () => ((await call("GET", `${path}/deliveries`)) as { deliveries: Delivery[] }).deliveries,
  };
}

/** The only delivery of the webhook, once it was attempted. */
async function deliver({ key, deliveries }: Awaited<ReturnType<typeof createWebhook>>): Promise<Delivery> {
  await createLink(service.isolates.here, key, { url: "https://example.com/" });
  await until(async () => (await deliveries())[0]?.attempts.length === 1);
  const [delivery] = await deliveries();
  return delivery ?? expect.fail("There was no delivery.");
}

it.each([
  ["not compressed with gzip", ["200 OK", ...GZIP, "", PLAIN]],
  ["not compressed with Brotli", ["200 OK", "Content-Encoding: br", "Content-Length: 11", "", PLAIN]],
  ["shorter than its length", ["200 OK", "Content-Length: 50", "", "ok"]],
  ["without its last chunk", ["200 OK", "Transfer-Encoding: chunked", "", "2", "ok"]],
])("an event is delivered with a body that is %s", async (_, answer) => {
  const webhook = await createWebhook(answer);
  const delivery = await deliver(webhook);
  expect(delivery).toMatchObject({ status: "delivered", attempts: [{ status: 200, statusText: null }] });
  expect(await webhook.ping()).toMatchObject({ success: true, status: 200 });
});

it("a 410 disables the webhook", async () => {
  const webhook = await createWebhook(["410 Gone", ...GZIP, "", PLAIN]);
  const attempts = [{ status: 410, statusText: "Gone" }];
  expect(await deliver(webhook)).toMatchObject({ status: "pending", nextAttemptAt: null, attempts });
  expect(await webhook.read()).toMatchObject({ status: "inactive", disabledReason: "gone" });
});

it("a 429 is tried again after its Retry-After", async () => {
  const webhook = await createWebhook(["429 Too Many Requests", "Retry-After: 120", ...GZIP, "", PLAIN]);
  const { status, attempts, nextAttemptAt } = await deliver(webhook);
  const [{ at, durationMs, ...attempt } = expect.fail("There was no attempt.")] = attempts;
  expect([status, attempt]).toEqual(["pending", { status: 429, statusText: "Too Many Requests" }]);
  expect((nextAttemptAt ?? 0) - at - durationMs).toBeGreaterThanOrEqual(120_000);
});
