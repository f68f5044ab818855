import { afterAll, beforeAll, expect, it } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { DAY_MS } from "../../src/limits.ts";
import { EVENT_TYPES } from "../../src/platform/outbox/event-types.ts";
import { until } from "../support/until.ts";
import { callApi, createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { checkerFor, closed, resolveShared } from "./support/openapi.ts";
import { startReceiver, startResolver, type Receiver, type Resolver } from "./support/receiver.ts";
import { startService, type Service } from "./support/service.ts";

// Deliveries of every event type, compared with their schemas in the OpenAPI document.

let service: Service<"here">;
let receiver: Receiver;
let resolver: Resolver;
let key: string;

beforeAll(async () => {
  [receiver, resolver] = [await startReceiver(), await startResolver()];
  const variables = {
    BASE_URL: "http://localhost:8787",
    DNS_OVER_HTTPS_URL: resolver.url,
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  };
  service = await startService({ here: "one" }, { variables });
  ({ key } = await createAccount(service.db));
});
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.stop(), resolver.stop()]);
});

async function callFor<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await callApi(service.isolates.here, key, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json() as T;
}

interface Delivered {
  event: string;
  data: { slug?: string; reason?: string };
}
const delivered = () => receiver.arrivals.map(({ body }) => JSON.parse(body) as Delivered);

/** Makes an event of every type. */
async function makeEvents(): Promise<void> {
  const { here } = service.isolates;
  const { webhook } = await callFor<{ webhook: { id: string } }>("POST", "/api/webhooks", {
    url: `${receiver.origin}/in`,
    events: EVENT_TYPES,
  });
  await callFor("POST", `/api/webhooks/${webhook.id}`);
  const rules = [{ countries: ["FR"], url: "https://example.com/fr" }];
  const { id } = await createLink(here, key, { url: "https://example.com/", slug: "full", rules, tags: ["sale"] });
  await updateLink(here, key, id, { title: "Changed", preview: { title: "Shown" } });
  await here.get("/full", { "User-Agent": "curl/8.5.0" });
  await deleteLink(here, key, id);
  await createLink(here, key, { url: "https://example.com/", slug: "used-up", maxClicks: 1 });
  await here.get("/used-up");
  const due = await createLink(here, key, { url: "https://example.com/", slug: "overdue" });
  await updateLink(here, key, due.id, { expiresAt: Date.now() - 1 });
  const { domain } = await callFor<{ domain: Domain }>("POST", "/api/domains/add", { domain: "go.acme.com" });
  const proof = domain.records.find(({ type }) => type === "TXT") as { name: string; value: string };
  resolver.texts.set(proof.name, [`"${proof.value}"`]);
  await callFor("POST", `/api/domains/${domain.id}/verify`);
  resolver.texts.clear();
  await here.advance(DAY_MS);
}

it("are what the document says, without a property that it does not name", async () => {
  await makeEvents();
  const reasons = () =>
    delivered()
      .filter(({ event }) => event === "link.expired")
      .map(({ data }) => `${data.slug}: ${data.reason}`)
      .toSorted();
  await until(async () => {
    await service.cron("here");
    return new Set(delivered().map(({ event }) => event)).size === EVENT_TYPES.length && reasons().length === 2;
  });
  expect(reasons()).toEqual(["overdue: expiresAt", "used-up: maxClicks"]);
  const document = resolveShared((await service.isolates.here.get("/api/openapi.json")).json());
  const check = checkerFor(document);
  for (const body of delivered()) {
    const media = document.webhooks[body.event]?.["post"]?.requestBody?.content["application/json"];
    expect([body.event, check(closed(document, media?.schema ?? {}), body)]).toEqual([body.event, null]);
  }
});
