import { toTagKey } from "#src/platform/lib/tag-key.ts";
import type { TagColor } from "#src/links/tags/colors.ts";
import type { Job } from "#src/links/tags/job-contract.ts";
import { call, withReason } from "#dashboard/api/client.ts";
import { readTagChoices } from "#dashboard/api/tag-choices.ts";
import type { Tag } from "#dashboard/api/types.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../queries.ts";

const FIRST_POLL_MS = 300;
const POLL_MS = 1_500;

const pathOf = (tag: string) => `/api/tags/${encodeURIComponent(tag)}`;

export function useTags(prefix: string): Listed<Tag> {
  return useList<Tag>(["tags", "list"], "/api/tags", "tags", prefix === "" ? {} : { query: { prefix } });
}

export async function setColor(tag: string, color: TagColor | null): Promise<void> {
  await call("PATCH", pathOf(tag), { body: { color } });
  await readAgain("tags");
}

export async function startRename(tag: string, name: string): Promise<Job> {
  return (await call<{ job: Job }>("PATCH", pathOf(tag), { body: { name } })).job;
}

export async function startRemoval(tag: string): Promise<Job> {
  return (await call<{ job: Job }>("DELETE", pathOf(tag))).job;
}

/** The other tag of the account with this name, without regard to case. */
export async function findOther(tag: string, name: string): Promise<Tag | undefined> {
  const tags = await readTagChoices(name);
  const isNamed = (text: string) => toTagKey(text) === toTagKey(name);
  return isNamed(tag) ? undefined : tags.find((other) => isNamed(other.name));
}

/** Waits until the job has ended, and reads again what it has changed. Throws if it failed. */
export async function finish(started: Job, onProgress: (job: Job) => void): Promise<Job> {
  let job = started;
  for (let pause = FIRST_POLL_MS; job.status === "pending" || job.status === "running"; pause = POLL_MS) {
    onProgress(job);
    await new Promise((resolve) => setTimeout(resolve, pause));
    job = await withReason((await call<{ job: Job }>("GET", `/api/jobs/${job.id}`)).job);
  }
  await readAgain("tags", "links");
  if (job.status === "failed") throw new Error(job.error ?? job.status);
  return job;
}
