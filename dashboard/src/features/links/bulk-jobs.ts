import { useQuery } from "@tanstack/react-query";
import { actingFor, ApiError, call, withReason } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { BulkJob } from "../../api/types.ts";
import { parseStored, readStored, store, useStored } from "../../lib/storage.ts";
import { useSession } from "../../session.ts";
import { refreshLists } from "./cache.ts";
import { toJob, type Change } from "./changes.ts";

/** A bulk job that this browser has started and still shows. */
export interface ShownJob {
  id: string;
  /** What it does, such as "Archive 1,200 links". */
  label: string;
  change: Change | "restore";
}

const POLL_MS = 1_000;
/** After an error, which the person cannot do anything about. */
const POLL_AFTER_ERROR_MS = 10_000;
const MAX_SHOWN_JOBS = 3;

/** Each account has its own jobs, which no other one can read. */
const nameFor = (accountId: string | null) => `bulk-jobs:${accountId}`;
const keyOf = (id: string) => ["bulk", id] as const;

export function useShownJobs(): readonly ShownJob[] {
  const { account } = useSession();
  return parseJobs(useStored(nameFor(account.id)));
}

export function hideJob(id: string): void {
  changeShown((jobs) => jobs.filter((job) => job.id !== id));
}

function changeShown(change: (jobs: readonly ShownJob[]) => readonly ShownJob[]): void {
  const name = nameFor(actingFor());
  store(name, JSON.stringify({ jobs: change(parseJobs(readStored(name))) }));
}

/** Starts a job, and shows its progress. */
export async function startBulkJob(target: object, change: Change | "restore", label: string): Promise<void> {
  const action = change === "restore" ? { restore: true } : toJob(change);
  const { job } = await call<{ job: BulkJob }>("POST", "/api/bulk", { body: { ...target, ...action } });
  queryClient.setQueryData(keyOf(job.id), job);
  changeShown((jobs) => [...jobs, { id: job.id, label, change }].slice(-MAX_SHOWN_JOBS));
}

/** Reads a job again and again until it has ended. */
export function useBulkJob(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => {
      const job = await readJob(id, signal);
      const before = queryClient.getQueryData<BulkJob>(keyOf(id));
      // Only the service knows which links the job has changed.
      if (before !== undefined && isRunning(before) && !isRunning(job)) void refreshLists();
      return job;
    },
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && !isRunning(state.data)) return false;
      return state.error === null ? POLL_MS : POLL_AFTER_ERROR_MS;
    },
    retry: false,
  });
}

/** Reads a job, and hides one that no longer exists or that the person may no longer read. */
async function readJob(id: string, signal: AbortSignal): Promise<BulkJob> {
  try {
    return await withReason((await call<{ job: BulkJob }>("GET", `/api/bulk/${id}`, { signal })).job);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) hideJob(id);
    throw error;
  }
}

/** Cancels or undoes a job. */
export async function steerJob(id: string, action: "cancel" | "undo"): Promise<void> {
  const { job } = await call<{ job: BulkJob }>("POST", `/api/bulk/${id}/${action}`);
  queryClient.setQueryData(keyOf(id), await withReason(job));
  await queryClient.invalidateQueries({ queryKey: keyOf(id) });
}

export function isRunning({ status }: BulkJob): boolean {
  return status === "reading" || status === "running" || status === "undoing";
}

function parseJobs(text: string | null): readonly ShownJob[] {
  const { jobs } = parseStored(text);
  return Array.isArray(jobs) ? (jobs as ShownJob[]) : [];
}
