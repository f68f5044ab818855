import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newEmail } from "../../identity/people/support.ts";
import { actFor, invite, join, makeTeam } from "../../identity/teams/support.ts";
import { toShownUrl } from "../../../src/webhooks/store/columns.ts";

interface Entry {
  action: string;
  targetName: string | null;
}

it("keeps the names that targets had when they were created, changed and deleted, also of persons", async () => {
  const team = await makeTeam();
  const { owner } = team;
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await actFor(team, owner, method, path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body as Record<string, { id: string }>;
  };
  const { key } = await send("POST", "/api/keys", { name: "First name" });
  await send("PATCH", `/api/keys/${key?.id}`, { name: "Second name" });
  await send("DELETE", `/api/keys/${key?.id}`);
  const urls = ["https://hooks.acme.com/services/T0AB/s3cr3t?key=hidden", "https://hooks.acme.com/second"];
  const { webhook } = await send("POST", "/api/webhooks", { url: urls[0], events: ["link.create"] });
  await send("PATCH", `/api/webhooks/${webhook?.id}`, { url: urls[1] });
  await send("DELETE", `/api/webhooks/${webhook?.id}`);
  const { domain } = await send("POST", "/api/domains/add", { domain: "go.bücher.acme.com" });
  await send("DELETE", `/api/domains/${domain?.id}`);
  const invited = newEmail();
  await invite(team, invited);
  const member = await join(team, "viewer");
  await owner.browser.delete(`/api/teams/${team.id}/members/${member.userId}`);
  await member.browser.patch("/api/auth/user", { name: "Renamed" });

  const { entries } = (await actFor(team, owner, "GET", "/api/account/audit")).body as unknown as { entries: Entry[] };
  expect(entries.map(({ action, targetName }) => [action, targetName]).toReversed()).toEqual([
    ["team.create", "Acme"],
    ["key.create", "First name"],
    ["key.update", "First name"],
    ["key.revoke", "Second name"],
    ["webhook.create", "https://hooks.acme.com/services/…/…?…"],
    ["webhook.update", "https://hooks.acme.com/services/…/…?…"],
    ["webhook.delete", "https://hooks.acme.com/second"],
    ["domain.add", "go.bücher.acme.com"],
    ["domain.delete", "go.bücher.acme.com"],
    ["invitation.create", invited],
    ["invitation.create", member.email],
    ["member.add", "Ann Lee"],
    ["member.remove", "Ann Lee"],
  ]);
  const stored = await env.DB.prepare("SELECT group_concat(target_name) AS names FROM audit_entries").first("names");
  // Names of persons are in rows that end with them.
  expect(stored).not.toMatch(/s3cr3t|hidden|T0AB|Ann Lee/);
});

it("has none for what has no name", async () => {
  const { owner } = await makeTeam();
  const { entries } = (await owner.browser.get("/api/account/audit")).body as unknown as { entries: Entry[] };
  expect(entries).toMatchObject([{ action: "user.sign_up", targetName: null }]);
});

it.each([
  ["https://acme.com/", "https://acme.com/"],
  ["https://acme.com:8443/hooks/order-created/v2", "https://acme.com:8443/hooks/order-created/v2"],
  ["https://hooks.slack.com/services/T0001/B0002/XXXXYYYYzzzz", "https://hooks.slack.com/services/…/…/…"],
  ["https://acme.com/hooks?token=secret", "https://acme.com/hooks?…"],
  ["https://acme.com/550e8400-e29b-41d4-a716-446655440000", "https://acme.com/…"],
  ["https://acme.com/abcdefghijklmnopqrstuvwxyz", "https://acme.com/…"],
])("shows of the URL %s %s", (url, shown) => {
  expect(toShownUrl(url)).toBe(shown);
});
