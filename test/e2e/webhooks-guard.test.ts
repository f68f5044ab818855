import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileUrls } from "../webhooks/delivery/hostile-urls.ts";
import { callApi, createAccount } from "./support/accounts.ts";
import { startReceiver, startResolver, type Receiver, type Resolver } from "./support/receiver.ts";
import { startService, type Service } from "./support/service.ts";

let service: Service<"here">;
let canary: Receiver;
let resolver: Resolver;
let key: string;

beforeAll(async () => {
  canary = await startReceiver();
  resolver = await startResolver();
  // The operator's mistake of listing private hosts has no effect, because BASE_URL is not local.
  const variables = { DNS_OVER_HTTPS_URL: resolver.url, WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost" };
  service = await startService({ here: "one" }, { variables });
  ({ key } = await createAccount(service.db));
});
afterAll(async () => {
  await service.stop();
  await canary.stop();
  await resolver.stop();
});

/** A loopback or unspecified address. The system connects both to this machine. */
const IS_LOCAL = /^(127\.|0\.0\.0\.0|localhost|\[::\]|\[::1\]|\[::ffff:(7f|0:0))/;

const create = (url: string) =>
  callApi(service.isolates.here, key, "POST", "/api/webhooks", { url, events: ["link.create"] });

it("a URL with an address of this machine is refused in every spelling", async () => {
  const { port } = new URL(canary.origin);
  const urls = hostileUrls()
    .filter((url) => url.startsWith("http://") && IS_LOCAL.test(URL.parse(url)?.hostname ?? ""))
    .map((url) => url.replace(/\/$/, `:${port}/`));
  expect(urls.length).toBeGreaterThan(100);
  const statuses = new Map<string, number>();
  for (let start = 0; start < urls.length; start += 20) {
    const some = urls.slice(start, start + 20);
    await Promise.all(some.map(async (url) => statuses.set(url, (await create(url)).status)));
  }
  expect([...statuses].filter(([, status]) => status !== 400)).toEqual([]);
  expect(canary.arrivals).toEqual([]);
});

it("a webhook whose host resolves to this machine, or whose stored URL names it, is not called", async () => {
  const { port } = new URL(canary.origin);
  resolver.addresses.set("flip.receiver.dev", ["93.184.215.14"]);
  const answer = await create(`http://flip.receiver.dev:${port}/`);
  expect(answer.status).toBe(201);
  const { id } = (answer.json() as { webhook: { id: string } }).webhook;
  const ping = async () => (await callApi(service.isolates.here, key, "POST", `/api/webhooks/${id}`)).json();
  const blocked = { success: false, status: 0, statusText: "blocked address" };
  for (const addresses of [["127.0.0.1"], ["::1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:127.0.0.1"]]) {
    resolver.addresses.set("flip.receiver.dev", addresses);
    expect(await ping(), addresses.join()).toEqual(blocked);
  }
  resolver.addresses.delete("flip.receiver.dev");
  expect(await ping()).toEqual({ ...blocked, statusText: "connection failed" });
  for (const host of ["127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1"]) {
    // A URL that the API would refuse.
    await service.db.prepare("UPDATE webhooks SET url = ?1").bind(`http://${host}:${port}/`).run();
    expect(await ping(), host).toEqual(blocked);
  }
  await resolver.stop();
  await service.db.prepare("UPDATE webhooks SET url = 'http://flip.receiver.dev/'").run();
  expect(await ping()).toEqual({ ...blocked, statusText: "connection failed" });
  expect(canary.arrivals).toEqual([]);
});
