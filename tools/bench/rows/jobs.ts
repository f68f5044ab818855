import { setTimeout as sleep } from "node:timers/promises";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { createAccount } from "../../../test/support/accounts.ts";
import { insertLinksOf } from "../growth/fill.ts";
import { call, makeLink, startInstrumented, UNCOUNTED, type InstrumentedServer } from "../instrumented/server.ts";
import { NOW } from "../instrumented/year.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound, type Round } from "../load/round.ts";
import type { Row } from "../row.ts";
import { DESTINATION } from "../runtime.ts";
import { percentileOf } from "../statistics.ts";
import { HOT_PATH, latenciesIn, startProbe, type Probe } from "../load/latency.ts";
import { memoryOf, resetPeak } from "../load/memory.ts";
import { monotonicMs } from "../load/probe.ts";
import { JOB_FAST_LINKS } from "../../../src/jobs/limits.ts";

/** Links of a job. */
const LINKS = 20_000;
/** A job that has done more of its links does not begin another round: it would end in the middle of it. */
const MAX_DONE_LINKS = 0.8 * LINKS;
/** After a job went on or was paused, until that has an effect. */
const SETTLE_MS = 300;
const POLL_MS = 100;
const REDIRECT_INTERVAL_MS = 4;
const CALL_INTERVAL_MS = 40;

const KINDS = ["import", "bulk change"] as const;
type Kind = (typeof KINDS)[number];
const MEASURED = ["redirects", "calls"] as const;
type Measured = (typeof MEASURED)[number];

interface Job {
  path: string;
  key: string;
}

interface JobState {
  id: string;
  status: string;
  progress: { done: number };
}

type JobServer = Awaited<ReturnType<typeof startJobs>>;

/** Starts the service. From the first use on, a redirect and a link of the API are requested all the time. */
export async function startJobs() {
  const server = await startInstrumented("tools/bench/workers/receiver.js");
  await server.control({ now: NOW });
  await insertLinks(server.db, { prefix: "l", first: 1, last: 1, url: DESTINATION });
  const { key } = await createAccount(server.db);
  const { id } = await makeLink(server, key);
  const headers = { Authorization: `Bearer ${key}` };
  const probes: Record<Measured, Probe> = {
    redirects: await startProbe(server.address, {
      path: HOT_PATH,
      headers: UNCOUNTED,
      status: 302,
      intervalMs: REDIRECT_INTERVAL_MS,
    }),
    calls: await startProbe(server.address, {
      path: `/api/links/${id}`,
      headers,
      status: 200,
      intervalMs: CALL_INTERVAL_MS,
    }),
  };
  const stop = async () => {
    for (const probe of Object.values(probes)) await probe.stop();
    await server.stop();
  };
  return { server, probes, stop };
}

async function send(server: InstrumentedServer, { path, key }: Job, action?: string): Promise<JobState> {
  const answer = await call(server, key, action === undefined ? "GET" : "POST", path + (action ?? ""));
  const { job, import: imported } = answer.json() as Partial<Record<"job" | "import", JobState>>;
  return (imported ?? job) as JobState;
}

async function waitFor(server: InstrumentedServer, job: Job, status: string): Promise<void> {
  while ((await send(server, job)).status !== status) await sleep(POLL_MS);
}

/** An import that is ready to start. */
async function prepareImport(server: InstrumentedServer): Promise<Job> {
  const { key } = await createAccount(server.db);
  const lines = Array.from(
    { length: LINKS },
    (_, n) => `${DESTINATION}&n=${n},Page ${n} of the catalogue,"a,t${n % 9}"\n`,
  );
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/csv" };
  const answer = await server.send("POST", "/api/imports", headers, `url,title,tags\n${lines.join("")}`);
  if (answer.status !== 202) throw new Error(`POST /api/imports: ${answer.status} ${answer.text}`);
  const job = { key, path: `/api/imports/${(answer.json() as { import: JobState }).import.id}` };
  await waitFor(server, job, "ready");
  return job;
}

/** A bulk change that is paused. */
async function prepareBulkChange(server: InstrumentedServer, { accountId, key }: { accountId: number; key: string }) {
  const body = { filter: {}, changes: { addTags: [`moved-${accountId}`] } };
  const answer = await call(server, key, "POST", "/api/bulk", body);
  const job = { key, path: `/api/bulk/${(answer.json() as { job: JobState }).job.id}` };
  await waitFor(server, job, "running");
  await send(server, job, "/pause");
  return job;
}

/** Keeps a job of a kind that can be run for a while at a time, and replaces it in time. */
function keepJob(server: InstrumentedServer, kind: Kind) {
  const pid = findRuntime();
  let job: Job | null = null;
  let before = 0;
  const prepare = async () => {
    const account = await createAccount(server.db);
    if (kind === "bulk change") await insertLinksOf(server.db, account.accountId, 1, LINKS);
    resetPeak(pid);
    before = memoryOf(pid).now;
    return kind === "import" ? prepareImport(server) : prepareBulkChange(server, account);
  };
  return {
    async resume() {
      const old = job === null ? null : await send(server, job);
      if (job === null || old === null || old.status === "done" || old.progress.done > MAX_DONE_LINKS)
        job = await prepare();
      const { status } = await send(server, job);
      await send(server, job, status === "ready" ? "/start" : "/resume");
      while ((await send(server, job)).progress.done < JOB_FAST_LINKS) await sleep(POLL_MS);
      await sleep(SETTLE_MS);
    },
    /** Returns whether the job ran until now. */
    async pause() {
      if (job === null) return false;
      if ((await send(server, job)).status !== "running") return false;
      await send(server, job, "/pause");
      await sleep(SETTLE_MS);
      return true;
    },
    /** Growth of the runtime since before the job. */
    grownBytes: () => memoryOf(pid).peak - before,
  };
}

async function measure({ probes }: JobServer, measured: Measured, seconds: number): Promise<Round> {
  const probe = probes[measured];
  let latency = Number.NaN;
  const round = await measureRound(findRuntime(), async () => {
    await probe.take();
    const span = { from: monotonicMs(), to: monotonicMs() + seconds * 1_000 };
    await sleep(seconds * 1_000 + SETTLE_MS);
    const latencies = latenciesIn(await probe.take(), [span]);
    latency = percentileOf(latencies, 0.95);
    return { operations: latencies.length };
  });
  return { ...round, latencyMilliseconds: latency };
}

async function measureBeside(
  server: JobServer,
  job: ReturnType<typeof keepJob>,
  measured: Measured,
  seconds: number,
): Promise<Round> {
  for (;;) {
    await job.resume();
    const round = await measure(server, measured, seconds);
    const grownBytes = job.grownBytes();
    if (await job.pause()) return { ...round, grownBytes };
  }
}

const NAMES: Record<Kind, string> = { import: "imports", "bulk change": "bulk" };
const WHAT: Record<Measured, string> = { redirects: `GET ${HOT_PATH}`, calls: "GET /api/links/:id" };

export const besideJobs = KINDS.flatMap((kind) =>
  MEASURED.map((measured): Row<JobServer> => ({
    name: `${NAMES[kind]}-${measured}`,
    title: `${WHAT[measured]} during ${kind === "import" ? "an import" : "a bulk change"} of ${LINKS.toLocaleString("en")} links; compared with the p95 latency without it`,
    unit: measured,
    against: "paused",
    latency: "p95",
    goal: 0.67,
    seconds: 4,
    async prepare(server) {
      const job = keepJob(server.server, kind);
      return {
        row: (seconds) => measureBeside(server, job, measured, seconds),
        reference: (seconds) => measure(server, measured, seconds),
      };
    },
  })),
);
