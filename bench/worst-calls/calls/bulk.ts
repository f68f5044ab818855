import { setTimeout as sleep } from "node:timers/promises";
import { newIds } from "../../../src/lib/uuid.ts";
import { createAccount } from "../../../test/support/accounts.ts";
import { NOW } from "../../instrumented/year.ts";
import type { Ask, FilledAccount } from "../account.ts";
import type { WorstCall } from "./call.ts";
import { MAX_BULK_JOB_IDS } from "../../../src/bulk/limits.ts";

// Bulk jobs. Their work goes on after the call, and pauses between pages.

const POLL_MS = 200;

interface JobBody {
  job: { id: string; status: string };
}

/** The start of a job with as many ids as a request may have, in a new account: each has a limit of starts an hour. */
async function start({ server }: FilledAccount, links = MAX_BULK_JOB_IDS): Promise<Ask & { key: string }> {
  const { key } = await createAccount(server.db);
  const body = JSON.stringify({ ids: newIds(NOW, links), delete: true });
  return { method: "POST", path: "/api/bulk", key, body };
}

/** Starts a job. Returns its path and its key once it has the status. */
async function startJob(
  account: FilledAccount,
  status: string,
  links?: number,
): Promise<{ path: string; key: string }> {
  const request = await start(account, links);
  const { key } = request;
  const { job } = await account.ask<JobBody>(request);
  const path = `/api/bulk/${job.id}`;
  for (;;) {
    const found = await account.ask<JobBody>({ method: "GET", path, key });
    if (found.job.status === status) return { path, key };
    await sleep(POLL_MS);
  }
}

let finished: ReturnType<typeof startJob> | null = null;

/** A read of a finished job that failed for 10,000 links. In a smaller account fewer, because jobs are slow on purpose. */
function read(what: string, pathOf: (job: string) => string): WorstCall {
  return {
    what,
    prepare: async (account) => {
      finished ??= startJob(account, "done", Math.min(account.links, MAX_BULK_JOB_IDS));
      const { path, key } = await finished;
      return { method: "GET", path: pathOf(path), key };
    },
  };
}

/** An action on a job that runs, after those that it needs. */
function act(action: string, ...before: string[]): WorstCall {
  return {
    what: "a job of 10,000 links; later work pauses between pages",
    prepare: async (account) => {
      const { path, key } = await startJob(account, "running");
      for (const each of before) await account.ask({ method: "POST", path: `${path}/${each}`, key });
      return { method: "POST", path: `${path}/${action}`, key };
    },
    isScarce: true,
  };
}

export const bulkCalls = {
  "POST /api/bulk": [
    { what: "10,000 ids; later work pauses between pages", prepare: (account) => start(account), isScarce: true },
  ],
  "GET /api/bulk": [read("the jobs of an account", () => "/api/bulk?limit=100")],
  "GET /api/bulk/:id": [read("a finished job", (job) => job)],
  "GET /api/bulk/:id/failures": [read("10,000 failures", (job) => `${job}/failures`)],
  "POST /api/bulk/:id/pause": [act("pause")],
  "POST /api/bulk/:id/resume": [act("resume", "pause")],
  "POST /api/bulk/:id/cancel": [act("cancel")],
  "POST /api/bulk/:id/undo": [act("undo", "cancel")],
} satisfies Record<string, WorstCall[]>;
