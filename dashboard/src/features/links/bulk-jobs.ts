import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { BulkJob } from "../../api/types.ts";
import { readStored, store, useStored } from "../../lib/storage.ts";
import { refreshLists } from "./cache.ts";
import { toJob, type Change } from "./changes.ts";

/** A bulk job that this browser has started and still shows. */
export interface ShownJob {
  id: string;
  /** What it does, such as "Archive 1,200 links". */
  label: string;
}

const NAME = "bulk-jobs";
const POLL_MS = 1_000;
const MAX_SHOWN_JOBS = 3;

const keyOf = (id: string) => ["bulk", id] as const;

export function useShownJobs(): readonly ShownJob[] {
  return parseJobs(useStored(NAME));
}

export function hideJob(id: string): void {
  store(NAME, JSON.stringify(parseJobs(readStored(NAME)).filter((job) => job.id !== id)));
}

/** Starts a job, and shows its progress. */
export async function startBulkJob(target: object, change: Change | "restore", label: string): Promise<void> {
  const action = change === "restore" ? { restore: true } : toJob(change);
  const { job } = await call<{ job: BulkJob }>("POST", "/api/bulk", { body: { ...target, ...action } });
  queryClient.setQueryData(keyOf(job.id), job);
  store(NAME, JSON.stringify([...parseJobs(readStored(NAME)), { id: job.id, label }].slice(-MAX_SHOWN_JOBS)));
}

/** Reads a job again and again until it has ended. */
export function useBulkJob(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => {
      const { job } = await call<{ job: BulkJob }>("GET", `/api/bulk/${id}`, { signal });
      const before = queryClient.getQueryData<BulkJob>(keyOf(id));
      // Only the service knows which links the job has changed.
      if (before !== undefined && isRunning(before) && !isRunning(job)) void refreshLists();
      return job;
    },
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? POLL_MS : false),
    retry: false,
  });
}

/** Cancels or undoes a job. */
export async function steerJob(id: string, action: "cancel" | "undo"): Promise<void> {
  const { job } = await call<{ job: BulkJob }>("POST", `/api/bulk/${id}/${action}`);
  queryClient.setQueryData(keyOf(id), job);
  await queryClient.invalidateQueries({ queryKey: keyOf(id) });
}

export function isRunning({ status }: BulkJob): boolean {
  return status === "reading" || status === "running" || status === "undoing";
}

function parseJobs(text: string | null): ShownJob[] {
  return text === null ? [] : (JSON.parse(text) as ShownJob[]);
}
