import { afterAll, beforeAll, expect, test } from "vitest";
import type { Domain } from "../../../src/domains/contract.ts";
import { startReceiver, startResolver, type Receiver, type Resolver } from "../../e2e/support/receiver.ts";
import { until } from "../../support/until.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { copyProject, runScript } from "./support/command.ts";
import { startWranglerDev } from "./support/wrangler-dev.ts";

// Webhooks in `npx wrangler dev`, which has no BASE_URL and runs no cron.

let cloudflare: Cloudflare;
let receiver: Receiver;
let resolver: Resolver;
beforeAll(async () => {
  [cloudflare, receiver, resolver] = [await startCloudflare(), await startReceiver(), await startResolver()];
});
afterAll(() => Promise.all([cloudflare.close(), receiver.stop(), resolver.stop()]));

const SEVEN = [
  "domain.verified",
  "link.click",
  "link.create",
  "link.delete",
  "link.expired",
  "link.update",
  "webhook.test",
];

const arrived = () =>
  [...new Set(receiver.arrivals.map(({ body }) => (JSON.parse(body) as { event: string }).event))].toSorted();

test("wrangler dev delivers events of each type to a private host that it was told", async () => {
  const clone = copyProject("dist");
  const variables = ["WEBHOOK_ALLOWED_PRIVATE_HOSTS:127.0.0.1", `DNS_OVER_HTTPS_URL:${resolver.url}`];
  const server = await startWranglerDev(
    variables.flatMap((variable) => ["--var", variable]),
    clone,
    cloudflare,
  );
  const { output } = await runScript("account.ts", ["create", "Ann"], {}, clone);
  const [key = ""] = /svc_sk_live_[0-9a-f]{64}/.exec(output) ?? [];
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(server.origin + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return (await response.json()) as T;
  };

  const hook = { url: `${receiver.origin}/in`, events: SEVEN };
  const { webhook } = await call<{ webhook: { id: string } }>("POST", "/api/webhooks", hook);
  expect(await call("POST", `/api/webhooks/${webhook.id}`)).toMatchObject({ success: true });
  const create = async () =>
    (await call<{ link: { id: string; slug: string } }>("POST", "/api/links", { url: "https://example.com/" })).link;
  const link = await create();
  await fetch(`${server.origin}/${link.slug}`, { redirect: "manual" });
  await call("PATCH", `/api/links/${link.id}`, { title: "Changed" });
  await call("DELETE", `/api/links/${link.id}`);
  await call("PATCH", `/api/links/${(await create()).id}`, { expiresAt: Date.now() - 1 });
  const { domain } = await call<{ domain: Domain }>("POST", "/api/domains/add", { domain: "go.acme.com" });
  const proof = domain.records.find(({ type }) => type === "TXT") as { name: string; value: string };
  resolver.texts.set(proof.name, [`"${proof.value}"`]);
  await call("POST", `/api/domains/${domain.id}/verify`);
  await until(() => arrived().length === SEVEN.length);
  expect(arrived()).toEqual(SEVEN);
  expect(server.output()).not.toMatch(/error/i);
  await server.stop();
});
