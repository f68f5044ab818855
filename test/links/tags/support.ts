import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import { jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import type { Link } from "../../../src/links/contract.ts";
import type { Job } from "../../../src/links/tags/job-contract.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { statementsOf, whileHeld } from "../../support/d1-client.ts";

export interface TagPage {
  tags: { name: string; links: number }[];
  nextCursor: string | null;
}

const ACTIVE: ReadonlySet<string> = new Set(["pending", "running"]);

async function readJob(key: string, id: string): Promise<Job> {
  return (await jsonOf<{ job: Job }>(await call("GET", `/api/jobs/${id}`, { key }))).job;
}

/** Waits until the job has ended. Its alarms fire by themselves. */
async function finishTagJob(key: string, id: string): Promise<Job> {
  return vi.waitUntil(
    async () => {
      const job = await readJob(key, id);
      return ACTIVE.has(job.status) ? null : job;
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** Changes tags of the account by `send`, and waits until the job has ended. Returns the first answer. */
export async function changeTag<T extends { job?: Pick<Job, "id"> }>(key: string, send: () => Promise<T>): Promise<T> {
  const answer = await send();
  if (answer.job !== undefined) await finishTagJob(key, answer.job.id);
  return answer;
}

/** Whether the SQL of a round trip is that of a page of a job. */
export function isTagChange(sql: unknown): boolean {
  const statements = statementsOf(sql);
  // A request that changes tags counts its growth within the quota.
  const isJob = statements.some((each) => each.includes("WHERE excluded.links <> 0 OR excluded.link_bytes <> 0"));
  return isJob && statements.some((each) => each.startsWith("UPDATE links AS l NOT INDEXED SET tags ="));
}

/** Runs while pages that change tags wait before their transactions. */
export const whileTagsHeld = <T>(run: () => Promise<T>): Promise<T> => whileHeld(isTagChange, run);

/** Runs while jobs wait for the query that checks the rights of their starter. */
export const whileChecksHeld = <T>(run: () => Promise<T>): Promise<T> =>
  whileHeld(
    (statements) => statements.length === 2 && statements.every((each) => each.startsWith("SELECT 1 WHERE")),
    run,
  );

export const tagRunnerOf = (accountId: number) => jobRunnerOf(env, accountId, "tags");

/** Runs the next alarm now. A call of an object that is killed meanwhile fails. */
export async function fireAlarm(accountId: number): Promise<void> {
  await runDurableObjectAlarm(tagRunnerOf(accountId)).catch(() => null);
}

/** A new account for each test, and calls with its key. */
export function taggedAccount() {
  const account = { key: "", keyId: "", accountId: 0 };
  beforeEach(async () => Object.assign(account, await createAccount()));

  async function api<T>(method: string, path: string, body?: object): Promise<T & { status: number } & ErrorJson> {
    const response = await call(method, path, { key: account.key, body });
    return { status: response.status, ...(await jsonOf<T & ErrorJson>(response)) };
  }
  const pathOf = (tag: string) => `/api/tags/${encodeURIComponent(tag)}`;
  const startRename = (tag: string, name: string) => api<{ job: Job }>("PATCH", pathOf(tag), { name });
  const startRemoval = (tag: string) => api<{ job: Job }>("DELETE", pathOf(tag));
  return {
    account,
    api,
    /** Each tag with its number of links, such as `sale 2`. */
    tagsOf: async (query = "") =>
      (await api<TagPage>("GET", `/api/tags${query}`)).tags.map(({ name, links }) => `${name} ${links}`),
    startRename,
    startRemoval,
    /** Renames the tag on all links, and returns the job as it was at its start. */
    rename: (tag: string, name: string) => changeTag(account.key, () => startRename(tag, name)),
    /** Removes the tag from all links, and returns the job as it was at its start. */
    remove: (tag: string) => changeTag(account.key, () => startRemoval(tag)),
    jobOf: (id: string) => readJob(account.key, id),
    finish: (id: string) => finishTagJob(account.key, id),
    tagsOfLink: async (id: string) => (await api<{ link: Link }>("GET", `/api/links/${id}`)).link.tags,
    slugs: async (query: string) =>
      (await api<{ links: Link[] }>("GET", `/api/links?${query}`)).links.map(({ slug }) => slug),
  };
}
