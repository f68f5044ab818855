import { afterAll, beforeAll, expect, it } from "vitest";
import { Tern, type Link } from "@tern/sdk";
import { createAccount } from "../../e2e/support/accounts.ts";
import { ORIGIN, startService, type Service } from "../../e2e/support/service.ts";
import { mapLimit } from "../../../src/platform/lib/map-limit.ts";
import { until } from "../../support/until.ts";
import { startGateway, type Fault, type Gateway } from "./support/gateway.ts";

const LINKS = 300;
const AT_ONCE = 30;
/** Far above what a creation takes, so that only stalled requests reach it. */
const TIMEOUT_MS = 5_000;
const TEST_TIMEOUT_MS = 600_000;
const FAULTS: Fault[] = [
  "lost-request",
  "lost-response",
  "cut-response",
  "stalled",
  "repeated",
  "limited",
  "unavailable",
  "bad-gateway",
];
/** Of the requests. */
const SHARE_OF_FAULTS = 0.4;

let service: Service<"here">;
let gateway: Gateway;
const happened = new Map<Fault, number>();
let nextFault: () => Fault | null = () => null;

beforeAll(async () => {
  service = await startService({ here: "one" }, { productionTimes: true });
  gateway = await startGateway(service.isolates.here.address, new URL(ORIGIN).host, () => nextFault());
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

function randomFault(): Fault | null {
  const fault = Math.random() < SHARE_OF_FAULTS ? FAULTS[Math.floor(Math.random() * FAULTS.length)] : undefined;
  if (fault !== undefined) happened.set(fault, (happened.get(fault) ?? 0) + 1);
  return fault ?? null;
}

it(
  "creates exactly as many links as it is asked to, whatever happens to the requests",
  async () => {
    nextFault = randomFault;
    const { key, accountId } = await createAccount(service.db);
    const client = new Tern({ apiKey: key, baseUrl: gateway.origin, timeoutMs: TIMEOUT_MS, maxRetries: 30 });
    const numbers = Array.from({ length: LINKS }, (_, number) => number);
    const created: Link[] = [];
    await mapLimit(numbers, AT_ONCE, async (number) => {
      created.push(await client.links.create({ url: `https://example.com/${number}` }));
    });
    const stored = await service.db
      .prepare("SELECT id, url FROM links WHERE account_id = ?1")
      .bind(accountId)
      .all<{ id: string; url: string }>();
    console.log(`${gateway.requests} requests for ${stored.results.length} links:`, Object.fromEntries(happened));
    expect(stored.results).toHaveLength(LINKS);
    expect(new Set(stored.results.map(({ url }) => url)).size).toBe(LINKS);
    expect(created.map(({ id }) => id).sort()).toEqual(stored.results.map(({ id }) => id).sort());
    expect([...happened.keys()].sort()).toEqual([...FAULTS].sort());

    const listed: string[] = [];
    for await (const { id } of client.links.list({ limit: 100 })) listed.push(id);
    expect(listed.sort()).toEqual(created.map(({ id }) => id).sort());
  },
  TEST_TIMEOUT_MS,
);

it("ends every change as if its first response was not lost", async () => {
  nextFault = () => null;
  const { key } = await createAccount(service.db);
  const client = new Tern({ apiKey: key, baseUrl: gateway.origin });
  const link = await client.links.create({ url: "https://example.com/", tags: ["sale", "other"] });
  const many = await Promise.all([1, 2].map((n) => client.links.create({ url: `https://example.com/${n}` })));
  const ids = many.map(({ id }) => id);
  const page = await client.sharedPages.create({ linkId: link.id });
  const template = await client.utmTemplates.create({ name: "spring", utm: { source: "mail" } });
  const other = await client.keys.create({ name: "other" });
  const listener = await client.listeners.create({ events: ["link.create"] });
  const webhook = await client.webhooks.create({ url: "https://example.com/hook", events: ["link.create"] });
  const domain = await client.domains.add({ domain: "go.example.com" });

  /** Loses the first response. */
  async function lose<T>(change: () => Promise<T>): Promise<T> {
    const faults: Fault[] = ["lost-response"];
    nextFault = () => faults.pop() ?? null;
    const before = gateway.requests;
    const result = await change();
    expect(gateway.requests - before).toBe(2);
    return result;
  }
  const { id } = link;
  expect(await lose(() => client.links.update(id, { title: "x", slug: "lost" }))).toMatchObject({ slug: "lost" });
  expect(await lose(() => client.links.upsert({ url: "https://example.com/", externalId: "x" }))).toMatchObject({
    externalId: "x",
  });
  expect(await lose(() => client.links.updateMany({ ids, changes: { title: "x" } }))).toMatchObject([
    { link: { title: "x" } },
    { link: { title: "x" } },
  ]);
  await lose(() => client.deepLinks.updateForLink(id, { ios: "https://apps.example.com/" }));
  const renamed = await lose(() => client.tags.update("sale", { name: "spring" }));
  await until(async () => (await client.jobs.get(renamed.id)).status === "done");
  const deleted = await lose(() => client.tags.delete("spring"));
  await until(async () => (await client.jobs.get(deleted.id)).status === "done");
  expect((await client.links.get(id)).tags).toEqual(["other"]);
  expect(await lose(() => client.sharedPages.update(page.id, { title: "x" }))).toMatchObject({ title: "x" });
  expect(await lose(() => client.utmTemplates.update(template.id, { name: "x" }))).toMatchObject({ name: "x" });
  expect(await lose(() => client.keys.update(other.id, { name: "x" }))).toMatchObject({ name: "x" });
  expect(await lose(() => client.webhooks.update(webhook.id, { status: "inactive" }))).toMatchObject({
    status: "inactive",
  });
  await lose(() => client.domains.update(domain.id, { notFoundUrl: "https://example.com/" }));
  for (const remove of [
    () => client.sharedPages.delete(page.id),
    () => client.utmTemplates.delete(template.id),
    () => client.keys.revoke(other.id),
    () => client.listeners.delete(listener.id),
    () => client.webhooks.delete(webhook.id),
    () => client.domains.delete(domain.id),
    () => client.links.delete(id),
  ])
    await expect(lose(remove)).resolves.toBeUndefined();
  // The API does not tell whether this request has deleted them.
  expect(await lose(() => client.links.deleteMany({ ids }))).toMatchObject([
    { code: "not_found" },
    { code: "not_found" },
  ]);
});
