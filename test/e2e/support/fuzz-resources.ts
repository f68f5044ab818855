import { newId, newIds } from "../../../src/platform/lib/uuid.ts";
import { until } from "../../support/until.ts";
import { callApi, createLink } from "./accounts.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";
import { MAX_BULK_JOB_IDS } from "../../../src/links/bulk-jobs/limits.ts";

// Resources of accounts, for the fuzz test.

/** Deletes all resources of the account but these, because an account can have only a few. */
export async function makeRoom(
  db: D1Database,
  table: "webhooks" | "api_keys" | "utm_templates" | "shared_pages" | "notes",
  accountId: number,
  kept: readonly string[],
): Promise<void> {
  await db
    .prepare(`DELETE FROM ${table} WHERE account_id = ?1 AND id NOT IN (SELECT value FROM json_each(?2))`)
    .bind(accountId, JSON.stringify(kept))
    .run();
}

/** The fields of the links that the test makes. */
export const LINK_FIELDS = [
  { tags: ["sale"] },
  { rules: [{ countries: ["DE"], url: "https://example.com/de" }], ios: "acme://x", preview: { title: "<b>" } },
  { password: "pass-word" },
  { domain: "go.acme.com" },
];

/** Makes a verified domain; returns its id. `token` is a private field. */
export async function insertDomain(
  db: D1Database,
  accountId: number,
  domain: string,
  token = "token",
): Promise<string> {
  const statement = db.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, 'verified', 0, 0)
     ON CONFLICT (account_id, domain) DO UPDATE SET status = 'verified' RETURNING id`,
  );
  const id = await statement.bind(newId(Date.now()), accountId, domain, token).first<string>("id");
  return id as string;
}

export async function createWebhook(isolate: Isolate, key: string): Promise<string> {
  const body = { url: "https://hooks.acme.com/", events: ["link.create"] };
  const answer = await callApi(isolate, key, "POST", "/api/webhooks", body);
  return (answer.json() as { webhook: { id: string } }).webhook.id;
}

export async function createListener(isolate: Isolate, key: string): Promise<string> {
  const answer = await callApi(isolate, key, "POST", "/api/listeners", { events: ["link.create"] });
  return (answer.json() as { listener: { id: string } }).listener.id;
}

/** The id of the newest delivery to the webhook, which the link that was made last has caused. */
export async function latestDelivery(isolate: Isolate, key: string, webhookId: string): Promise<string> {
  const answer = await callApi(isolate, key, "GET", `/api/webhooks/${webhookId}/deliveries`);
  return (answer.json() as { deliveries: { id: string }[] }).deliveries[0]?.id ?? "";
}

/** Makes a shared page of the tag, and a link with it; returns its id and its token. */
export async function createSharedPage(
  isolate: Isolate,
  key: string,
  tag: string,
  fields: object = {},
): Promise<{ id: string; token: string }> {
  await createLink(isolate, key, { url: "https://example.com/", tags: [tag] });
  const answer = await callApi(isolate, key, "POST", "/api/shared-pages", { tag, ...fields });
  if (answer.status !== 201) throw new Error(`create shared page: ${answer.status} ${answer.text}`);
  const { id, url } = (answer.json() as { sharedPage: { id: string; url: string } }).sharedPage;
  return { id, token: url.split("/").at(-1) ?? "" };
}

/** The running bulk job that {@link startBulkJob} made last. */
let bulkJob = "";

/**
 * Returns the id of a bulk job on which the action is possible. It is given unknown ids, so it changes nothing and runs for
 * seconds. The one before is cancelled, because only two may run at once.
 */
async function startBulkJob(isolate: Isolate, key: string, action: string): Promise<string> {
  if (bulkJob !== "") await callApi(isolate, key, "POST", `/api/bulk/${bulkJob}/cancel`);
  const body = { ids: newIds(Date.now(), MAX_BULK_JOB_IDS), delete: true };
  const answer = await callApi(isolate, key, "POST", "/api/bulk", body);
  if (answer.status !== 202) throw new Error(`start bulk job: ${answer.status} ${answer.text}`);
  bulkJob = (answer.json() as { job: { id: string } }).job.id;
  await until(async () => {
    const found = await callApi(isolate, key, "GET", `/api/bulk/${bulkJob}`);
    return (found.json() as { job: { status: string } }).job.status === "running";
  });
  const before = { resume: "pause", undo: "cancel" }[action];
  if (before !== undefined) await callApi(isolate, key, "POST", `/api/bulk/${bulkJob}/${before}`);
  return bulkJob;
}

/** Waits for the work that goes on after the answer, also for its bulk job. One of another account is not found. */
export async function settleJob(isolate: Isolate, key: string, answer: Answer): Promise<void> {
  await isolate.settled();
  const { job, import: started } = answer.json() as { job?: { id: string }; import?: { id: string } };
  const path = job === undefined ? started && `/api/imports/${started.id}` : `/api/bulk/${job.id}`;
  if (path === undefined) return;
  await until(async () => {
    const found = await callApi(isolate, key, "GET", path);
    return found.status !== 200 || !/"(reading|running|undoing)"/.test(found.text);
  });
}

/** Rows of a file whose import takes a second. */
const IMPORTED_ROWS = 3_000;

/** The path of an import with the id of one on which the action is possible. An account can start ten. */
export async function withImport(isolate: Isolate, key: string, path: string): Promise<string> {
  const action = path.split("/").at(-1) ?? "";
  const isLong = action === "pause" || action === "resume";
  const rows = Array.from({ length: isLong ? IMPORTED_ROWS : 1 }, (_, n) => `https://example.com/${n},x\n`);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" };
  const answer = await isolate.request("POST", "/api/imports", { headers, body: `url,Notes\n${rows.join("")}` });
  if (answer.status !== 202) throw new Error(`start import: ${answer.status} ${answer.text}`);
  await settleJob(isolate, key, answer);
  const { id } = (answer.json() as { import: { id: string } }).import;
  const before = { pause: ["start"], resume: ["start", "pause"], undo: ["cancel"] }[action] ?? [];
  for (const each of before) await callApi(isolate, key, "POST", `/api/imports/${id}/${each}`);
  return path.replace("{id}", id);
}

/** The path of a job, a bulk job or an export with the id of one. */
export async function withJob(isolate: Isolate, key: string, path: string): Promise<string> {
  const [, , kind, , action = ""] = path.split("/");
  if (kind === "exports") return path.replace("{id}", await exportLinks(isolate, key));
  return path.replace("{id}", await (kind === "bulk" ? startBulkJob(isolate, key, action) : startJob(isolate, key)));
}

let templates = 0;

/** Returns the id of a new UTM template. */
export async function createTemplate(isolate: Isolate, key: string, name = `Template ${++templates}`): Promise<string> {
  const answer = await callApi(isolate, key, "POST", "/api/utm-templates", { name, utm: { source: name } });
  if (answer.status !== 201) throw new Error(`create UTM template: ${answer.status} ${answer.text}`);
  return (answer.json() as { template: { id: string } }).template.id;
}

/** Returns the id of a new note. */
export async function createNote(isolate: Isolate, key: string, text = "Mail sent"): Promise<string> {
  const answer = await callApi(isolate, key, "POST", "/api/notes", { at: 1_790_000_000_000, text });
  if (answer.status !== 201) throw new Error(`create note: ${answer.status} ${answer.text}`);
  return (answer.json() as { note: { id: string } }).note.id;
}

let tags = 0;

/** A new tag with a link. A job that runs for another tag could take the link out of an old one. */
export async function createTag(isolate: Isolate, key: string): Promise<string> {
  const tag = `by example ${++tags}`;
  await createLink(isolate, key, { url: "https://example.com/", tags: [tag] });
  return encodeURIComponent(tag);
}

/** Returns the id of a job that deletes a tag. */
async function startJob(isolate: Isolate, key: string): Promise<string> {
  const answer = await callApi(isolate, key, "DELETE", `/api/tags/${await createTag(isolate, key)}`);
  if (answer.status !== 202) throw new Error(`delete tag: ${answer.status} ${answer.text}`);
  return (answer.json() as { job: { id: string } }).job.id;
}

let exported: Promise<string> | null = null;

/** Returns the id of a complete export of links, always the same: an account has a limit of exports an hour. */
function exportLinks(isolate: Isolate, key: string): Promise<string> {
  exported ??= exportNow(isolate, key);
  return exported;
}

async function exportNow(isolate: Isolate, key: string): Promise<string> {
  const started = await callApi(isolate, key, "POST", "/api/exports", { kind: "links" });
  if (started.status !== 202) throw new Error(`start export: ${started.status} ${started.text}`);
  const { id } = (started.json() as { export: { id: string } }).export;
  await until(async () => {
    const read = await callApi(isolate, key, "GET", `/api/exports/${id}`);
    return (read.json() as { export: { status: string } }).export.status === "done";
  });
  return id;
}
