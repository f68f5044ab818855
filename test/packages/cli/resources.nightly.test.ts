import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { ApiKey, Delivery, Domain, WebhookWithSecret, Webhook } from "@tern/sdk";
import { installation, prepareInstallation, tern } from "./support/installation.ts";

prepareInstallation();

test("a key is created with its value alone in a pipe, changed and revoked", async () => {
  const { output: value } = await tern.run(["keys", "create", "CI", "--permission", "links:read"]);
  expect(value).toMatch(/^svc_sk_live_[0-9a-f]{64}\n$/);
  const limited = { TERN_API_KEY: value.trim() };
  expect((await tern.run(["links", "list"], limited)).exitCode).toBe(0);
  expect(await tern.run(["links", "create", "https://example.com/"], limited)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("links:write"),
  });
  expect(await tern.json("keys", "update", "CI", "--permission", "clicks:read")).toMatchObject({
    permissions: ["clicks:read"],
  });
  const keys = await tern.json<ApiKey[]>("keys", "list");
  expect(keys.map(({ name }) => name)).toEqual(["CI", "test"]);

  expect(await tern.run(["keys", "revoke", "CI"])).toMatchObject({ exitCode: 2 });
  expect(await tern.run(["keys", "revoke", "CI", "--yes"])).toMatchObject({ exitCode: 0 });
  expect(await tern.run(["whoami"], limited)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("revoked"),
  });
  expect(await tern.run(["keys", "revoke", "CI", "--yes"])).toMatchObject({ exitCode: 1 });
});

test("a domain is added with its records, verified, changed and deleted", async () => {
  const added = await tern.run(["domains", "add", "go.acme.com"]);
  expect(added.output).toMatch(/TXT\t_tern-challenge\.go\.acme\.com\ttern-verification=/);
  expect(await tern.json("domains", "verify", "go.acme.com")).toMatchObject({ verified: true });
  expect(await tern.json("domains", "update", "go.acme.com", "--root-url", "https://acme.com/")).toMatchObject({
    rootUrl: "https://acme.com/",
  });
  expect(await tern.json("domains", "update", "go.acme.com", "--clear", "rootUrl")).toMatchObject({ rootUrl: null });
  expect((await tern.json<Domain[]>("domains", "list")).map(({ domain }) => domain)).toEqual(["go.acme.com"]);
  expect(await tern.json("domains", "get", "GO.acme.com")).toMatchObject({ status: "verified" });

  await tern.json("domains", "add", "elsewhere.example.net");
  expect(await tern.run(["domains", "verify", "elsewhere.example.net"])).toMatchObject({ exitCode: 0 });
  expect(await tern.run(["domains", "delete", "go.acme.com"])).toMatchObject({ exitCode: 2 });
  expect(await tern.run(["domains", "delete", "go.acme.com", "--yes"])).toMatchObject({ exitCode: 0 });
  expect(await tern.run(["domains", "get", "go.acme.com"])).toMatchObject({ exitCode: 1 });
});

test("a webhook is created with its secret alone in a pipe, pinged, changed and deleted", async () => {
  const hook = `${installation.receiver.origin}/hooks`;
  const created = await tern.run(["webhooks", "create", hook, "--event", "link.create", "--tag", "sale"]);
  expect(created).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^whsec_[\w+/]+=\n$/) });
  expect(await tern.run(["webhooks", "ping", hook])).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining("200"),
  });
  const deliveries = await tern.json<Delivery[]>("webhooks", "deliveries", hook, "--status", "delivered");
  expect(deliveries).toMatchObject([{ event: "webhook.test" }]);
  const [{ id } = { id: "" }] = deliveries;
  expect(await tern.json("webhooks", "deliveries", hook, id)).toMatchObject({
    id,
    requestBody: expect.stringContaining("webhook.test"),
  });
  expect(await tern.json("webhooks", "retry", hook, id)).toMatchObject({ status: "pending" });
  expect(await tern.json("webhooks", "retry", hook, "--since", "2026-01-01")).toEqual({ retried: expect.any(Number) });
  expect(await tern.run(["webhooks", "retry", hook])).toMatchObject({ exitCode: 2 });

  expect(await tern.json("webhooks", "update", hook, "--event", "link.update", "--clear", "tags")).toMatchObject({
    events: ["link.update"],
    tags: null,
  });
  expect(await tern.json("webhooks", "update", hook, "--format", "slack")).toMatchObject({ format: "slack" });
  const rotated = await tern.json<WebhookWithSecret>("webhooks", "rotate-secret", hook, "--yes");
  expect(rotated.secret).not.toBe(created.output.trim());
  expect(await tern.json("webhooks", "update", hook, "--status", "inactive")).toMatchObject({ status: "inactive" });
  expect((await tern.json<Webhook[]>("webhooks", "list")).map(({ url }) => url)).toEqual([hook]);
  expect(await tern.run(["webhooks", "delete", hook, "--yes"])).toMatchObject({ exitCode: 0 });
});

test("a ping that no receiver accepts is a failure", async () => {
  const url = `http://127.0.0.1:${await unusedPort()}/`;
  await tern.json("webhooks", "create", url, "--event", "link.create");
  expect(await tern.run(["webhooks", "ping", url])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("connection failed"),
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
