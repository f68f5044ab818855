import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt } from "../../support/domains.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { addDomain, publishProof, startDomains, verify } from "../../domains/support.ts";
import { advance } from "../../webhooks/support.ts";

type Entry = Record<string, unknown>;

/** Rows that an entry writes: in the table and in its index. */
const ROWS_OF_ENTRY = 2;

/** Returns and deletes the entries, by their actions. */
async function takeEntries(): Promise<Entry[]> {
  const { results } = await env.DB.prepare("SELECT * FROM audit_entries ORDER BY action").all<Entry>();
  await env.DB.prepare("DELETE FROM audit_entries").run();
  return results;
}
const takeActions = async () => (await takeEntries()).map(({ action }) => action);

it("each change of a webhook or a domain by a key has its entry, and refused or empty changes have none", async () => {
  const { service, ann, bob } = await startDomains();
  const send = async (method: string, path: string, body?: unknown, key = ann.key) => {
    advance(1_000);
    return (await service.call(method, path, { key, body })).status;
  };
  const { id, secret } = await service.createWebhook(ann.key);
  const [created] = await takeEntries();
  const keyId = await env.DB.prepare("SELECT id FROM api_keys WHERE account_id = ?1").bind(ann.accountId).first("id");
  expect(created).toMatchObject({ account_id: ann.accountId, actor_type: "key", actor_id: keyId, target_id: id });
  expect(created?.["action"]).toBe("webhook.create");

  const webhook = `/api/webhooks/${id}`;
  const findListener = async () =>
    `/api/listeners/${await env.DB.prepare("SELECT min(id) AS id FROM webhooks WHERE listener_slot IS NOT NULL").first<string>("id")}`;
  const domain = await addDomain(service, ann);
  const path = `/api/domains/${domain.id}`;
  const proof = () => publishProof(domain);
  const link = () => createLinkAt(domain.domain, ann.key, { slug: "sale" });
  const steps: [() => Promise<unknown>, unknown, string[]][] = [
    [() => takeEntries(), expect.anything(), []],
    [() => send("PATCH", webhook, { events: ["link.create", "link.delete"] }), 200, ["webhook.update"]],
    [() => send("PATCH", webhook, { status: "inactive" }), 200, ["webhook.disable"]],
    [() => send("PATCH", webhook, { status: "inactive" }), 200, []],
    [() => send("PATCH", webhook, { status: "active", tags: ["a"] }), 200, ["webhook.enable", "webhook.update"]],
    [() => send("POST", `${webhook}/rotate-secret`), 200, ["webhook.rotate_secret"]],
    [() => send("POST", `${webhook}/rotate-secret`), 200, ["webhook.rotate_secret"]],
    [() => send("POST", `${webhook}/rotate-secret`), 409, []],
    [() => send("PATCH", webhook, { status: "inactive" }, bob.key), 403, []],
    [() => send("DELETE", webhook, undefined, bob.key), 403, []],
    [() => send("DELETE", webhook), 200, ["webhook.delete"]],
    [() => send("DELETE", webhook), 404, []],
    [() => send("POST", "/api/listeners", { events: ["link.create"] }), 201, ["listener.create"]],
    [() => send("POST", "/api/listeners", { events: ["link.create"] }), 201, ["listener.create"]],
    [() => send("POST", "/api/listeners", { events: ["link.create"] }), 409, []],
    [async () => send("DELETE", await findListener(), undefined, bob.key), 403, []],
    [async () => send("DELETE", await findListener()), 200, ["listener.delete"]],
    [() => send("POST", "/api/domains/add", { domain: "go.acme.org" }), 201, ["domain.add"]],
    [() => send("POST", "/api/domains/add", { domain: "go.acme.org" }), 409, []],
    [() => send("POST", `${path}/verify`), 200, []],
    [proof, undefined, []],
    [() => send("POST", `${path}/verify`), 200, ["domain.verify"]],
    [() => send("POST", `${path}/verify`), 200, []],
    [() => send("PATCH", path, { rootUrl: "https://acme.com/" }), 200, ["domain.update"]],
    [() => send("PATCH", `/api/deep-links/domains/${domain.id}`, { assetLinks: null }), 200, ["domain.update"]],
    [() => send("PATCH", path, { rootUrl: null }, bob.key), 403, []],
    [link, expect.anything(), []],
    [() => send("DELETE", path), 409, []],
    [() => send("DELETE", `${path}?force=true`, undefined, bob.key), 403, []],
    [() => send("DELETE", `${path}?force=true`), 200, ["domain.delete"]],
    [() => send("DELETE", `${path}?force=true`), 404, []],
  ];
  for (const [index, [step, result, actions]] of steps.entries()) {
    const reply = await step();
    const entries = await takeEntries();
    expect([index, reply, entries.map(({ action }) => action)]).toEqual([index, result, actions]);
    expect(JSON.stringify(entries)).not.toContain(secret.slice(0, 12));
  }
});

it("a change whose response from the database is lost has one entry", async () => {
  const { service, ann } = await startDomains();
  const { id } = await service.createWebhook(ann.key);
  const domain = await addDomain(service, ann);
  await publishProof(domain);
  await takeEntries();
  const send = (method: string, path: string, body?: unknown) => service.call(method, path, { key: ann.key, body });
  for (const [text, run, action, sent] of [
    ["INSERT INTO webhooks", () => service.createWebhook(ann.key), "webhook.create", 2],
    ["UPDATE webhooks", () => send("PATCH", `/api/webhooks/${id}`, { status: "inactive" }), "webhook.disable", 2],
    ["UPDATE webhooks", () => send("POST", `/api/webhooks/${id}/rotate-secret`), "webhook.rotate_secret", 2],
    ["DELETE FROM webhooks", () => send("DELETE", `/api/webhooks/${id}`), "webhook.delete", 2],
    ["INSERT INTO webhooks", () => send("POST", "/api/listeners", { events: ["link.create"] }), "listener.create", 2],
    ["INSERT INTO domains", () => addDomain(service, ann, "go.acme.org"), "domain.add", 2],
    ["UPDATE domains", () => verify(service, ann, domain), "domain.verify", 3],
  ] as const) {
    // The check finds that its own first attempt has changed the domain, and is recorded again.
    expect([action, await loseFirstResponse(text, run)]).toEqual([action, sent]);
    expect(await takeActions()).toEqual([action]);
  }
});

it("an entry costs two written rows and no round trip", async () => {
  const { service, ann } = await startDomains();
  const { id } = await service.createWebhook(ann.key);
  const measure = (body: object) =>
    measureD1(() => service.call("PATCH", `/api/webhooks/${id}`, { key: ann.key, body }));
  // The first use of the key in a second is recorded.
  await measure({ status: "inactive" });
  const unchanged = await measure({ status: "inactive" });
  const changed = await measure({ status: "active" });
  expect(changed.rowsWritten - unchanged.rowsWritten).toBe(ROWS_OF_ENTRY);
  expect(changed.roundTrips).toBe(unchanged.roundTrips);
  await service.call("DELETE", `/api/webhooks/${id}`, { key: ann.key });
  expect(await takeActions()).toHaveLength(4);
});
