import { env } from "cloudflare:workers";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { newToken } from "../../../src/platform/lib/token.ts";
import { createLink } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { insertDomain } from "../../support/domains.ts";
import { signUp } from "../people/support.ts";
import type { Person } from "../teams/support.ts";
import { Service } from "../../webhooks/support.ts";

/** Tables that hold nothing of an account or a person. A new table must be filled below, or stand here with a reason. */
const WITHOUT_ACCOUNTS = new Set([
  "schema_migrations",
  // Hashes, deleted 15 minutes after the guess.
  "guesses",
  // Deleted once Cloudflare has removed the hostname.
  "removed_hostnames",
]);

async function listTables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !WITHOUT_ACCOUNTS.has(name));
}

/** The rows of each table that mention one of the texts, or that have the account's number. */
export async function search(texts: readonly string[], accountId: number): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const table of await listTables()) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
    const own = results
      .filter((row) => row["account_id"] === accountId)
      .concat(table === "accounts" ? results.filter((row) => row["id"] === accountId) : [])
      .map((row) => JSON.stringify(row));
    const naming = results.map((row) => JSON.stringify(row)).filter((row) => texts.some((text) => row.includes(text)));
    found.set(table, [...new Set([...own, ...naming])]);
  }
  return found;
}

export async function accountOf({ userId }: Pick<Person, "userId">): Promise<{ id: number; uuid: string }> {
  const row = await env.DB.prepare("SELECT id, uuid FROM accounts WHERE personal_user_id = ?1")
    .bind(userId)
    .first<{ id: number; uuid: string }>();
  if (row === null) throw new Error("no account");
  return row;
}

export interface Filled extends Person {
  accountId: number;
  key: string;
  /** The ids, hashes and addresses by which something of the account can be found. */
  texts: string[];
}

/** A person who has something in every table. */
export async function fillAccount(): Promise<Filled> {
  const service = new Service();
  const person = await signUp();
  const { browser, email, userId } = person;
  const { id: accountId, uuid } = await accountOf(person);
  const { key } = (await browser.post("/api/keys", { name: "Robot" })).body as { key: { id: string; value: string } };
  const webhook = await service.createWebhook(key.value);
  // The body of an event with two recipients is stored apart.
  for (const port of [8_001, 8_002])
    await service.createWebhook(key.value, { url: `https://hooks.receiver.dev:${port}/`, events: ["link.delete"] });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.call(method, path, { key: key.value, body, headers });
  const url = "https://example.com/";
  const link = await createLink(key.value, { slug: `kept-${accountId}`, tags: ["sale"] });
  await send("PATCH", `/api/links/${link.id}`, { slug: `renamed-${accountId}` });
  await send("POST", "/api/shared-pages", { linkId: link.id });
  const gone = await createLink(key.value);
  await send("DELETE", `/api/links/${gone.id}`);
  await send("POST", "/api/links/bulk", { links: [{ url }] }, { "Idempotency-Key": "bulk" });
  await send("POST", "/api/links", { url }, { "Idempotency-Key": "one" });
  await insertDomain(accountId, `go${accountId}.acme.com`);
  await browser.post("/api/account/views", { kind: "links", name: "Broken", query: "destination=broken" });
  await browser.post("/api/account/mail-reports", { frequency: "weekly", timezone: "UTC" });
  await send("POST", "/api/utm-templates", { name: "Newsletter", utm: { source: "newsletter" } });
  await send("POST", "/api/notes", { at: 1_790_000_000_000, text: "Mail sent", linkId: link.id });
  await consume([messageOf([clickOn(link.id, accountId)])]);

  const now = Date.now();
  const add = async (table: string, row: Record<string, string | number | null>) => {
    const names = Object.keys(row);
    await env.DB.prepare(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, n) => `?${n + 1}`).join(", ")})`,
    )
      .bind(...Object.values(row))
      .run();
  };
  const times = { created_at: now, expires_at: now + 30 * DAY_MS };
  await add("deleted_domains", { account_id: accountId, domain: "old.acme.com" });
  await add("waiting_clicks", { webhook_id: webhook.id, id: newId(now), connections: 0, expires_at: 0, clicks: "[]" });
  await add("click_deliveries", { webhook_id: webhook.id, entries: "[]" });
  await add("listener_events", {
    listener_id: webhook.id,
    end_offset: 1,
    event_id: newId(now),
    type: "link.create",
    body: "{}",
    arrived_at: now,
  });
  await env.DB.prepare(
    `INSERT INTO link_claims (link_seq, link_id, hash, created_at, claimed_by, account_id, move_at)
     SELECT seq, id, ?2, ?3, ?4, account_id, ?5 FROM links WHERE id = ?1`,
  )
    .bind(link.id, newToken(), now, newId(now), now + 365 * DAY_MS)
    .run();
  // The present name is as before.
  for (const name of ["Ann Other", "Ann Lee"]) await browser.patch("/api/auth/user", { name });
  await browser.post("/api/account/exports");
  await browser.post("/api/exports", { kind: "qr" });
  await send("PATCH", "/api/tags/sale", { color: "teal" });
  await send("PATCH", "/api/tags/sale", { name: "offer" });
  await send("POST", "/api/bulk", { ids: [link.id], changes: { title: "by a job" } });
  await add("totp_factors", { user_id: userId, secret: "x", created_at: now, last_step: 0 });
  await add("recovery_codes", { hash: newToken(), user_id: userId, created_at: now });
  await add("passkeys", {
    id: newId(now),
    user_id: userId,
    name: "Phone",
    credential_id: newToken(),
    user_handle: newToken(),
    public_key: "x",
    counter: 0,
    transports: "[]",
    is_synced: 0,
    created_at: now,
  });
  const grantId = newId(now);
  await add("oauth_grants", {
    id: grantId,
    account_id: accountId,
    user_id: userId,
    client_hash: newToken(),
    client_name: "Assistant",
    redirect_uri: "https://assistant.example/",
    scopes: "[]",
    refused_scopes: "[]",
    ...times,
  });
  await add("oauth_tokens", { hash: newToken(), grant_id: grantId, kind: "refresh", expires_at: times.expires_at });
  await add("tokens", { hash: newToken(), purpose: "reset_password", subject: userId, payload: "{}", ...times });
  await add("tokens", { hash: newToken(), purpose: "verify_email", subject: email, payload: "{}", ...times });
  const ids = [webhook.id, key.id, link.id, gone.id, grantId];
  return { ...person, accountId, key: key.value, texts: [uuid, userId, email, ...ids] };
}
