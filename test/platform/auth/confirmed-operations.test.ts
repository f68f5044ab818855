import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CONFIRMED_OPERATIONS } from "../../../src/platform/auth/confirmed-operations.ts";
import { CONFIRMATION_TTL_MS } from "../../../src/platform/auth/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertDomain } from "../../support/domains.ts";
import { call, jsonOf } from "../../support/api.ts";
import { addMember } from "../../identity/people/members.ts";
import { readOperations, request, SOME_ID, type Operation } from "../../identity/people/operations.ts";
import { forgetConfirmation } from "../../identity/people/support.ts";
import { actFor, join, makeTeam, type Person, type TeamOf } from "../../identity/teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { itWithSafety } from "../../support/safety.ts";

beforeEach(() => internet.reset());

/** Why an operation that changes something needs no confirmed identity. Others of the same resource have the same reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  ...reason("It can be taken back: changed again, restored for 7 days, or undone.", [
    "POST /api/links",
    "PATCH /api/links/:id",
    "DELETE /api/links/:id",
    "POST /api/links/:id/restore",
    "POST /api/links/bulk",
    "PATCH /api/links/bulk",
    "DELETE /api/links/bulk",
    "PUT /api/links/upsert",
    "POST /api/shorten",
    "POST /api/bulk",
    "POST /api/bulk/:id/pause",
    "POST /api/bulk/:id/resume",
    "POST /api/bulk/:id/cancel",
    "POST /api/bulk/:id/undo",
    "POST /api/imports",
    "PATCH /api/imports/:id",
    "POST /api/imports/:id/start",
    "POST /api/imports/:id/pause",
    "POST /api/imports/:id/resume",
    "POST /api/imports/:id/cancel",
    "POST /api/imports/:id/undo",
    "PATCH /api/deep-links/links/:id",
    "PATCH /api/deep-links/domains/:id",
    "PATCH /api/domains/:id",
    "PUT /api/domains/:id/qr-style",
    "PATCH /api/auth/user",
    "PATCH /api/auth/passkeys/:id",
    "POST /api/account/restore",
    "DELETE /api/teams/:id/invitations/:invitationId",
  ]),
  ...reason("It only orders links, and is made again by hand.", [
    "PATCH /api/tags/:tag",
    "DELETE /api/tags/:tag",
    "POST /api/utm-templates",
    "PATCH /api/utm-templates/:id",
    "DELETE /api/utm-templates/:id",
    "POST /api/account/mail-reports",
    "PATCH /api/account/mail-reports/:id",
    "DELETE /api/account/mail-reports/:id",
    "POST /api/notes",
    "PATCH /api/notes/:id",
    "DELETE /api/notes/:id",
    "POST /api/account/views",
    "PATCH /api/account/views/:id",
    "DELETE /api/account/views/:id",
  ]),
  ...reason("It shows or writes what the person may read with the same role.", ["POST /api/qr", "POST /api/exports"]),
  ...reason("It takes access away and no data; the same can be made again.", [
    "DELETE /api/shared-pages/:id",
    "DELETE /api/webhooks/:id",
    "DELETE /api/listeners/:id",
    "DELETE /api/auth/apps/:id",
  ]),
  ...reason("It sends to a receiver that was set with a confirmed identity.", [
    "POST /api/webhooks/:id",
    "POST /api/webhooks/:id/deliveries/retry",
    "POST /api/webhooks/:id/deliveries/:deliveryId/retry",
  ]),
  ...reason("It gives access to nothing that exists.", [
    "POST /api/domains/add",
    "POST /api/domains/:id/verify",
    "POST /api/account/claims",
    "POST /api/teams",
  ]),
  ...reason("It proves the identity itself, by the password, a factor or the token of a mail.", [
    "POST /api/auth/confirm",
    "POST /api/auth/confirm/options",
    "POST /api/auth/password/change",
    "POST /api/auth/email/confirm",
    "POST /api/teams/invitations/accept",
    "POST /api/teams/invitations/decline",
  ]),
  ...reason("It asks an operator to decide, and changes nothing by itself.", [
    "POST /api/account/takedowns/:id/appeal",
  ]),
  ...reason("It changes nothing.", ["POST /api/auth/apps/describe"]),
  ...reason("It ends the own session.", ["POST /api/auth/sign-out"]),
};

function reason(text: string, operations: readonly string[]): Record<string, string> {
  return Object.fromEntries(operations.map((operation) => [operation, text]));
}

const whenOf = ({ name }: Operation) => (CONFIRMED_OPERATIONS as Readonly<Record<string, string>>)[name];

itWithSafety(
  "each operation of a session that changes something needs a confirmed identity, or there is a reason why not",
  async () => {
    const changes = readOperations().filter(({ method, name }) => method !== "GET" || name in CONFIRMED_OPERATIONS);
    const decided = [...Object.keys(CONFIRMED_OPERATIONS), ...Object.keys(EXCEPTIONS)];
    expect(decided.toSorted()).toEqual(changes.map(({ name }) => name).toSorted());
  },
);

it("an operation of the list refuses a session without a confirmed identity, and no other operation does", async () => {
  const { cookie, account } = await addMember("owner");
  const operations = readOperations();
  const ends = operations.filter(({ name }) => name === "POST /api/auth/sign-out");
  for (const operation of [...operations.filter((each) => !ends.includes(each)), ...ends]) {
    const path = operation.path.replace(/^(\/api\/teams\/)[0-9a-f-]{36}/, `$1${account}`);
    const codeAt = async (confirmedAt: number) => {
      // The limit of changes is that of one session.
      await env.DB.prepare("UPDATE sessions SET id = ?1, confirmed_at = ?2").bind(newId(Date.now()), confirmedAt).run();
      const text = await (await request({ method: operation.method, path }, { cookie, account })).text();
      return [operation.name, /"code":"confirm_identity"/.test(text)];
    };
    if (whenOf(operation) === undefined) {
      expect(await codeAt(0)).toEqual([operation.name, false]);
    } else if (whenOf(operation) === "always") {
      expect(await codeAt(Date.now() - CONFIRMATION_TTL_MS)).toEqual([operation.name, true]);
      expect(await codeAt(Date.now())).toEqual([operation.name, false]);
    }
  }
});

describe("somebody with the cookie of an owner's session that is not confirmed", () => {
  /** What there is in a team to take or to destroy, and the requests for it. */
  async function prepare(team: TeamOf, admin: Person) {
    const { owner } = team;
    const create = async (path: string, body: unknown) => {
      const reply = await actFor(team, owner, "POST", path, body);
      return Object.values(reply.body)[0] as { id: string; value?: string };
    };
    const key = await create("/api/keys", { name: "Robot" });
    const webhook = await create("/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.create"] });
    const narrow = await create("/api/keys", { name: "Narrow", permissions: ["links:read"] });
    const accountId = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<number>("id");
    const domain = await insertDomain(accountId ?? 0, "go.acme.com");
    const exported = await create("/api/account/exports", undefined);
    const member = `/api/teams/${team.id}/members/${admin.userId}`;
    const requests: [method: string, path: string, body?: unknown][] = [
      ["PATCH", `/api/keys/${narrow.id}`, { permissions: ["links:read", "links:write"] }],
      ["DELETE", `/api/keys/${key.id}`],
      ["DELETE", `/api/keys/${key.id}?descendants=true`],
      ["POST", "/api/keys", { name: "Stolen" }],
      ["PATCH", `/api/webhooks/${webhook.id}`, { url: "https://thief.receiver.dev/in" }],
      ["POST", `/api/webhooks/${webhook.id}/rotate-secret`],
      ["DELETE", `/api/domains/${domain}?force=true`],
      ["GET", `/api/account/exports/${exported.id}/file`],
      ["POST", "/api/account/exports"],
      ["PATCH", member, { role: "owner" }],
      ["DELETE", member],
      ["POST", `/api/teams/${team.id}/transfer`, { userId: admin.userId }],
      ["PATCH", `/api/teams/${team.id}`, { requireMfa: false }],
      ["DELETE", `/api/auth/sessions/${SOME_ID}`],
    ];
    return { requests, key: key.value ?? "", webhook };
  }

  it("takes nothing that lasts, and ends nothing for good; a key has its permissions alone", async () => {
    const team = await makeTeam();
    const admin = await join(team, "admin");
    const { requests, webhook } = await prepare(team, admin);
    await forgetConfirmation();
    for (const [method, path, body] of requests) {
      const { status, body: answer } = await actFor(team, team.owner, method, path, body);
      expect([method, path, status, answer.code]).toEqual([method, path, 403, "confirm_identity"]);
    }
    // What can be taken back goes on.
    const renamed = await actFor(team, team.owner, "PATCH", `/api/webhooks/${webhook.id}`, { status: "inactive" });
    expect(renamed.status).toBe(200);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ?1").bind(Date.now()).run();
    for (const [method, path, body] of requests) {
      const { body: answer } = await actFor(team, team.owner, method, path, body);
      expect([method, path, answer.code]).not.toEqual([method, path, "confirm_identity"]);
    }
  });

  it("a key changes the URL, rotates the secret and revokes keys without one", async () => {
    const team = await makeTeam();
    const { key, webhook } = await prepare(team, await join(team, "admin"));
    await forgetConfirmation();
    const status = async (method: string, path: string, body?: unknown) =>
      (await call(method, path, { key, body })).status;
    const url = { url: "https://hooks.receiver.dev/other" };
    expect(await status("PATCH", `/api/webhooks/${webhook.id}`, url)).toBe(200);
    expect(await status("POST", `/api/webhooks/${webhook.id}/rotate-secret`)).toBe(200);
    const made = await jsonOf<{ key: { id: string } }>(
      await call("POST", "/api/keys", { key, body: { name: "Next" } }),
    );
    expect(await status("DELETE", `/api/keys/${made.key.id}`)).toBe(200);
  });
});
