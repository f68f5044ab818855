import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { interceptD1 } from "../../support/d1-client.ts";
import { insertDomain } from "../../support/domains.ts";
import { actFor, join, makeTeam } from "../../identity/teams/support.ts";
import { internet } from "../../webhooks/support.ts";

beforeEach(() => internet.reset());

const TABLES = [
  "shared_pages",
  "webhooks",
  "domains",
  "api_keys",
  "deleted_domains",
  "removed_hostnames",
  "deliveries",
];

it("a person who loses the role between the check and the change changes no webhook, domain, key or shared page", async () => {
  const team = await makeTeam();
  const admin = await join(team, "admin");
  const accountId = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<number>("id");
  if (accountId === null) throw new Error("no account");
  const owner = (method: string, path: string, body: unknown) => actFor(team, team.owner, method, path, body);
  const WEBHOOK = { url: "https://hooks.receiver.dev/in", events: ["domain.verified"] };
  const { webhook } = (await owner("POST", "/api/webhooks", WEBHOOK)).body as { webhook: { id: string } };
  const LISTENER = { events: ["link.expired"] };
  const { listener } = (await owner("POST", "/api/listeners", LISTENER)).body as { listener: { id: string } };
  const { key } = (await owner("POST", "/api/keys", { name: "Robot" })).body as { key: { id: string } };
  const domainId = await insertDomain(accountId, "go.acme.com");
  await env.DB.prepare("UPDATE domains SET hostname_status = 'active'").run();
  const { link } = (await owner("POST", "/api/links", { url: "https://example.com/" })).body as {
    link: { id: string };
  };
  const PAGE = { linkId: link.id };
  const { sharedPage } = (await owner("POST", "/api/shared-pages", PAGE)).body as { sharedPage: { id: string } };
  const added = await owner("POST", "/api/domains/add", { domain: "go.acme.org" });
  const pending = added.body["domain"] as { id: string; records: { name: string; value: string }[] };
  await internet.records({ [`TXT ${pending.records[0]?.name}`]: [`"${pending.records[0]?.value}"`] });

  const setRole = (role: string) =>
    env.DB.prepare("UPDATE memberships SET role = ?1 WHERE user_id = ?2 AND account_id = ?3")
      .bind(role, admin.userId, accountId)
      .run();
  const stored = async () => {
    const tables = [...TABLES, "audit_entries"].map((table) => env.DB.prepare(`SELECT * FROM ${table}`));
    return (await env.DB.batch(tables)).map(({ results }) => results);
  };
  const before = await stored();
  for (const [statement, method, path, body] of [
    ["INSERT INTO webhooks", "POST", "/api/webhooks", WEBHOOK],
    ["UPDATE webhooks", "PATCH", `/api/webhooks/${webhook.id}`, { status: "inactive", tags: ["a"] }],
    ["UPDATE webhooks", "POST", `/api/webhooks/${webhook.id}/rotate-secret`, undefined],
    ["DELETE FROM webhooks", "DELETE", `/api/webhooks/${webhook.id}`, undefined],
    ["INSERT INTO webhooks", "POST", "/api/listeners", LISTENER],
    ["DELETE FROM webhooks", "DELETE", `/api/listeners/${listener.id}`, undefined],
    ["INSERT INTO shared_pages", "POST", "/api/shared-pages", PAGE],
    ["UPDATE shared_pages", "PATCH", `/api/shared-pages/${sharedPage.id}`, { password: "correct horse" }],
    ["DELETE FROM shared_pages", "DELETE", `/api/shared-pages/${sharedPage.id}`, undefined],
    ["INSERT INTO domains", "POST", "/api/domains/add", { domain: "go.acme.net" }],
    ["UPDATE domains", "PATCH", `/api/domains/${domainId}`, { rootUrl: "https://acme.com/" }],
    ["UPDATE domains", "POST", `/api/domains/${pending.id}/verify`, undefined],
    ["UPDATE domains", "POST", `/api/domains/${domainId}/verify`, undefined],
    ["DELETE FROM domains", "DELETE", `/api/domains/${domainId}?force=true`, undefined],
    ["UPDATE api_keys", "DELETE", `/api/keys/${key.id}`, undefined],
    ["UPDATE api_keys", "DELETE", `/api/keys/${key.id}?descendants=true`, undefined],
  ] as const) {
    await setRole("admin");
    let isDemoted = false;
    await interceptD1(
      async (sql, send) => {
        if (!isDemoted && String(sql).includes(statement)) {
          isDemoted = true;
          await setRole("viewer");
        }
        return send();
      },
      async () => {
        const reply = await actFor(team, admin, method, path, body);
        expect([path, isDemoted, reply.status, reply.body["details"]]).toMatchObject([
          path,
          true,
          403,
          [{ code: "access_changed", resource: "role" }],
        ]);
      },
    );
    expect([method, path, await stored()]).toEqual([method, path, before]);
  }
});
