import { useMutation, useQuery } from "@tanstack/react-query";
import { call, withReason } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { BulkJob, Export, Import, StartExport, UpdateImport } from "../../api/types.ts";
import { isActive, waitForList, waitForOne } from "./polling.ts";
import { toWork, type Work } from "./work/work.ts";
import { MAX_KEPT_FILE_EXPORTS } from "#src/moving/exports/limits.ts";
import { MAX_KEPT_JOBS } from "#src/jobs/limits.ts";

const IMPORT_LIST = ["imports", "list"] as const;
const JOB_LIST = ["bulk", "list"] as const;
const EXPORT_LIST = ["exports", "list"] as const;
const keyOfImport = (id: string) => ["imports", id] as const;

/** Reads an import, again and again while it changes by itself. */
export function useImport(id: string) {
  return useQuery({
    queryKey: keyOfImport(id),
    queryFn: async ({ signal }) => {
      const { import: answer } = await call<{ import: Import }>("GET", `/api/imports/${id}`, { signal });
      const read = await withReason(answer);
      const before = queryClient.getQueryData<Import>(keyOfImport(id));
      if (before !== undefined && isActive(before) && !isActive(read)) forgetLists();
      return read;
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined ? false : waitForOne(state.data)),
    refetchIntervalInBackground: true,
  });
}

/** What a job of many links changed: lists of links, tags and jobs are read again. */
function forgetLists(): void {
  for (const queryKey of [IMPORT_LIST, JOB_LIST, ["links"], ["tags"]]) void queryClient.invalidateQueries({ queryKey });
}

export async function keepImport(changed: Import): Promise<void> {
  await queryClient.cancelQueries({ queryKey: keyOfImport(changed.id) });
  queryClient.setQueryData(keyOfImport(changed.id), await withReason(changed));
  void queryClient.invalidateQueries({ queryKey: IMPORT_LIST });
}

export async function updateImport(id: string, changes: UpdateImport): Promise<void> {
  const body = await call<{ import: Import }>("PATCH", `/api/imports/${id}`, { body: changes });
  await keepImport(body.import);
}

export function useStartImport(id: string) {
  return useMutation({
    mutationFn: () => call<{ import: Import }>("POST", `/api/imports/${id}/start`),
    onSuccess: (body) => keepImport(body.import),
  });
}

/** All imports of the account, the newest first. */
function useImports() {
  return useQuery({
    queryKey: IMPORT_LIST,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_KEPT_JOBS };
      const { imports } = await call<{ imports: Import[] }>("GET", "/api/imports", { query, signal });
      return Promise.all(imports.map(withReason));
    },
    refetchInterval: ({ state }) => waitForList(state.data),
    refetchIntervalInBackground: true,
  });
}

/** All bulk jobs of the account, the newest first. */
function useBulkJobs() {
  return useQuery({
    queryKey: JOB_LIST,
    queryFn: async ({ signal }) => {
      const { jobs } = await call<{ jobs: BulkJob[] }>("GET", "/api/bulk", { query: { limit: MAX_KEPT_JOBS }, signal });
      const before = queryClient.getQueryData<BulkJob[]>(JOB_LIST) ?? [];
      const ended = before.some(
        (job) => isActive(job) && !jobs.some(({ id, status }) => id === job.id && isActive({ status })),
      );
      if (ended) void queryClient.invalidateQueries({ queryKey: ["links"] });
      return Promise.all(jobs.map(withReason));
    },
    refetchInterval: ({ state }) => waitForList(state.data),
    refetchIntervalInBackground: true,
  });
}

/** After a pause or a cancellation, the links that are just being changed are finished in about this time. */
const FINISH_MS = 3_000;

export type WorkAction = "pause" | "resume" | "cancel" | "undo";

/** Pauses, resumes, cancels or undoes an import or a bulk job. */
export function useSteer({ kind, id }: Pick<Work, "kind" | "id">) {
  return useMutation({
    mutationFn: (action: WorkAction) =>
      call<{ import?: Import; job?: BulkJob }>(
        "POST",
        `/api/${kind === "import" ? "imports" : "bulk"}/${id}/${action}`,
      ),
    onSuccess: async (body, action) => {
      const list = kind === "import" ? IMPORT_LIST : JOB_LIST;
      if (body.import !== undefined) await keepImport(body.import);
      await queryClient.invalidateQueries({ queryKey: list });
      if (action !== "pause" && action !== "cancel") return;
      setTimeout(() => {
        void queryClient.invalidateQueries({ queryKey: list });
        void queryClient.invalidateQueries({ queryKey: keyOfImport(id) });
      }, FINISH_MS);
    },
  });
}

/** Imports and bulk jobs in one list, the newest first. */
export function useWorks() {
  const imports = useImports();
  const jobs = useBulkJobs();
  const works =
    imports.data === undefined || jobs.data === undefined
      ? undefined
      : [...imports.data, ...jobs.data].map(toWork).sort((one, other) => other.createdAt - one.createdAt);
  return {
    works,
    error: imports.error ?? jobs.error,
    retry: () => void Promise.all([imports.refetch(), jobs.refetch()]),
  };
}

/** The exports that the person may see, the newest first. */
export function useExports() {
  return useQuery({
    queryKey: EXPORT_LIST,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_KEPT_FILE_EXPORTS };
      const { exports } = await call<{ exports: Export[] }>("GET", "/api/exports", { query, signal });
      return Promise.all(exports.map(withReason));
    },
    refetchInterval: ({ state }) => waitForList(state.data),
    refetchIntervalInBackground: true,
  });
}

export function useStartExport() {
  return useMutation({
    mutationFn: (body: StartExport) => call<{ export: Export }>("POST", "/api/exports", { body }),
    onSuccess: async (body) => {
      await queryClient.cancelQueries({ queryKey: EXPORT_LIST });
      queryClient.setQueryData<Export[]>(EXPORT_LIST, (exports = []) => [body.export, ...exports]);
      void queryClient.invalidateQueries({ queryKey: EXPORT_LIST });
    },
  });
}
