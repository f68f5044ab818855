import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { DAY_MS as DAY, MINUTE_MS as MINUTE } from "../../src/limits.ts";
import { advance, countRows, internet, type Service } from "../webhooks/support.ts";
import { failed, Saas } from "./saas.ts";
import {
  addDomain,
  addVerified,
  DOMAIN,
  oneOf,
  publishProof,
  read,
  startDomains,
  verify,
  type Person,
} from "./support.ts";

let service: Service;
let ann: Person;
let bob: Person;
let saas: Saas;
beforeEach(async () => {
  ({ service, ann, bob } = await startDomains());
  saas = new Saas();
  saas.start();
  Object.assign(service.bindings, saas.bindings);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

async function cron(afterMs = 0): Promise<void> {
  advance(afterMs);
  await service.cron();
}

const certificateOf = ({ records }: Domain) => records.find(({ type }) => type === "certificate");
const certificate = async (domain: Domain) => certificateOf(await read(service, ann, domain));
const remove = ({ id }: Domain, key = ann.key) => service.call("DELETE", `/api/domains/${id}?force=true`, { key });

describe("a verified domain", () => {
  it("is registered once and shows the state of its certificate", async () => {
    const pending = await addDomain(service, ann);
    await verify(service, ann, pending);
    expect(saas.calls).toEqual([]);
    const domain = await addVerified(service, ann, "x.acme.com");
    expect(certificateOf(domain)).toEqual({
      type: "certificate",
      name: "x.acme.com",
      status: "initializing",
      error: null,
      found: false,
    });
    expect(saas.takeCalls()).toEqual(["POST"]);
    saas.set("x.acme.com", { status: "pending", ssl: "pending_validation", error: "CAA forbids it" });
    await cron(10 * MINUTE);
    expect(await certificate(domain)).toMatchObject({ status: "pending_validation", error: "CAA forbids it" });
    saas.set("x.acme.com", { status: "active", ssl: "active" });
    await cron(10 * MINUTE);
    expect(await certificate(domain)).toMatchObject({ status: "active", error: null, found: true });
    expect(saas.takeCalls()).toEqual(["GET /hostname-1", "GET /hostname-1"]);
    await cron(10 * MINUTE);
    expect(saas.takeCalls()).toEqual([]);
    await cron(DAY);
    expect(saas.takeCalls()).toEqual(["GET /hostname-1"]);
  });

  it("is validated again when it first points to the service, or after Cloudflare's validation timed out", async () => {
    const domain = await addVerified(service, ann);
    await verify(service, ann, domain);
    await internet.records({ [`CNAME ${DOMAIN}`]: ["tern.test."] });
    await verify(service, ann, domain);
    saas.set(DOMAIN, { status: "pending", ssl: "validation_timed_out" });
    await cron(10 * MINUTE);
    await cron(10 * MINUTE);
    expect(saas.takeCalls()).toEqual([
      "POST",
      "GET /hostname-1",
      "PATCH /hostname-1",
      "GET /hostname-1",
      "PATCH /hostname-1",
    ]);
  });

  it("adopts an existing hostname, but none that only contains its name", async () => {
    for (const name of [`x.${DOMAIN}`, DOMAIN]) {
      const ssl = { status: "active", method: "http", type: "dv" };
      saas.hostnames.set(name, { id: name, hostname: name, status: "active", ssl });
    }
    const domain = await addVerified(service, ann);
    expect(certificateOf(domain)).toMatchObject({ status: "active" });
    expect(saas.takeCalls()).toEqual(["POST", "GET"]);
    await remove(domain);
    await cron(MINUTE);
    expect(saas.names()).toEqual([`x.${DOMAIN}`]);
  });

  it("is registered again if its hostname was removed at Cloudflare", async () => {
    const domain = await addVerified(service, ann);
    saas.hostnames.clear();
    await cron(10 * MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
    expect(await certificate(domain)).toMatchObject({ status: "initializing" });
  });

  it("is registered within a day if it was verified before the operator configured custom hostnames", async () => {
    Object.assign(service.bindings, { CLOUDFLARE_SAAS_TOKEN: undefined });
    const domain = await addVerified(service, ann);
    expect(certificateOf(domain)).toBeUndefined();
    Object.assign(service.bindings, saas.bindings);
    await cron(DAY);
    await cron();
    expect(saas.names()).toEqual([DOMAIN]);
  });

  it("loses its hostname when it becomes pending", async () => {
    const domain = await addVerified(service, ann);
    await internet.records({ [`TXT _tern-challenge.${DOMAIN}`]: "missing" });
    await cron(DAY);
    await cron(7 * DAY);
    expect(certificateOf(await read(service, ann, domain))).toBeUndefined();
    expect(saas.names()).toEqual([DOMAIN]);
    await cron(MINUTE);
    expect(saas.names()).toEqual([]);
  });
});

describe("a failure of Cloudflare's API", () => {
  it.each([
    ["429", () => failed(429, 971, "Please wait", { "Retry-After": "30" })],
    ["500", () => failed(500, 1_000, "Internal error")],
    ["not JSON", () => new Response("<html>", { status: 502 })],
    ["an empty body", () => new Response(null, { status: 200 })],
    ["null", () => new Response("null")],
    ["a wrong token", () => failed(403, 10_000, "Authentication error")],
    ["a lost connection", () => new Error("Network connection lost.")],
  ])("(%s) does not affect the domain and is repeated", async (_, failure) => {
    saas.failures = [failure()];
    const domain = await addVerified(service, ann);
    expect(domain.status).toBe("verified");
    expect(certificateOf(domain)).toMatchObject({ status: "initializing", error: null });
    await cron(MINUTE);
    expect(saas.names()).toEqual([]);
    await cron(5 * MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
  });

  const LATER = { "Retry-After": "3600" };
  const cut = () => new ReadableStream({ pull: (stream) => stream.error(new Error("Network connection lost.")) });
  it.each([
    ["a body", () => failed(429, 971, "Please wait", LATER)],
    ["a body that cannot be read", () => new Response(cut(), { status: 429, headers: LATER })],
  ])("with %s is repeated after the time in Retry-After", async (_, failure) => {
    saas.failures = [failure()];
    await addVerified(service, ann);
    await cron(30 * MINUTE);
    expect(saas.names()).toEqual([]);
    await cron(30 * MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
  });

  it("is a redirect too, which is not followed with the token", async () => {
    const elsewhere = "https://elsewhere.example/zones";
    await internet.answers({
      "elsewhere.example": { body: JSON.stringify({ result: { id: "x", status: "active" } }) },
    });
    saas.failures = [new Response(null, { status: 307, headers: { Location: elsewhere } })];
    const domain = await addVerified(service, ann);
    expect(certificateOf(domain)).toMatchObject({ status: "initializing", error: null });
    expect((await internet.received()).filter(({ url }) => url === elsewhere)).toEqual([]);
    await cron(5 * MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
  });

  it("is shown to the owner if Cloudflare refuses the hostname", async () => {
    saas.failures = [failed(400, 1_400, "This hostname may not be registered.")];
    const domain = await addVerified(service, ann);
    expect(certificateOf(domain)).toMatchObject({ found: false, error: "This hostname may not be registered." });
  });

  it("creates no second hostname if the response was lost", async () => {
    saas.onCreated = () => Promise.reject(new Error("Network connection lost."));
    const domain = await addVerified(service, ann);
    await cron(5 * MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
    saas.set(DOMAIN, { status: "active", ssl: "active" });
    expect(certificateOf(await oneOf(await verify(service, ann, domain)))).toMatchObject({ status: "active" });
  });
});

describe("a deleted domain", () => {
  it("loses its hostname, even if the API was down at first", async () => {
    const domain = await addVerified(service, ann);
    saas.isDown = true;
    expect((await remove(domain)).status).toBe(200);
    await cron(MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
    saas.isDown = false;
    await cron(5 * MINUTE);
    expect(saas.names()).toEqual([]);
    expect(await countRows("removed_hostnames")).toBe(0);
    saas.takeCalls();
    await cron(DAY);
    expect(saas.calls).toEqual([]);
  });

  it("loses its hostname if it was deleted during the registration", async () => {
    const domain = await addDomain(service, ann);
    await publishProof(domain);
    saas.onCreated = async () => void (await remove(domain));
    await verify(service, ann, domain);
    expect(saas.names()).toEqual([DOMAIN]);
    await cron(MINUTE);
    expect(saas.names()).toEqual([]);
  });

  it("loses its hostname if the registration finished after the removal", async () => {
    const domain = await addDomain(service, ann);
    await publishProof(domain);
    saas.onCreated = async () => {
      const created = [...saas.hostnames];
      await remove(domain);
      await cron(MINUTE);
      for (const [id, hostname] of created) saas.hostnames.set(id, hostname);
    };
    await verify(service, ann, domain);
    expect(saas.names()).toEqual([DOMAIN]);
    await cron(MINUTE);
    expect(saas.names()).toEqual([]);
    expect(await countRows("removed_hostnames")).toBe(0);
  });

  it("keeps its hostname if another account has verified the domain meanwhile", async () => {
    const domain = await addVerified(service, ann);
    await remove(domain);
    const bobs = await addDomain(service, bob);
    await publishProof(bobs);
    expect(certificateOf(await oneOf(await verify(service, bob, bobs)))).toMatchObject({ status: "initializing" });
    await cron(MINUTE);
    expect(saas.names()).toEqual([DOMAIN]);
    expect(await countRows("removed_hostnames")).toBe(0);
    await cron(DAY);
    expect(await env.DB.prepare("SELECT hostname_id FROM domains").first("hostname_id")).toBe("hostname-1");
  });
});
