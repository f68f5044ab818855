import { describe, expect, it } from "vitest";
import { bulkJob } from "../../src/links/bulk-jobs/job.ts";
import { DAY_MS, JOB_TTL_MS } from "../../src/limits.ts";
import { fileExportJob } from "../../src/moving/exports/job.ts";
import { EXPORT_TTL_MS } from "../../src/moving/exports/limits.ts";
import { importJob } from "../../src/moving/imports/job.ts";
import { changeJob, endJob, turnPage } from "../../src/jobs/change.ts";
import type { JobStatus } from "../../src/jobs/job.ts";
import type { StoredJob } from "../../src/jobs/store/jobs.ts";
import { tagJob } from "../../src/links/tags/job.ts";

const STARTER = { type: "key", id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" } as const;
const CREATED = 1_000;
const NOW = 5_000;

const job = (status: JobStatus, fields: Partial<StoredJob> = {}): StoredJob => ({
  id: "a",
  kind: "bulk",
  accountId: 1,
  starter: STARTER,
  baseUrl: "https://tern.test",
  input: "{}",
  status,
  details: null,
  position: 1,
  done: 10,
  total: 100,
  counts: { changed: 10 },
  error: null,
  failures: 3,
  dueAt: CREATED,
  createdAt: CREATED,
  startedAt: CREATED,
  finishedAt: null,
  ...fields,
});

describe("an action on a job", () => {
  const STATUSES = [
    "receiving",
    "reading",
    "ready",
    "running",
    "paused",
    "done",
    "failed",
    "cancelled",
    "undoing",
    "undone",
  ] as const;
  /** The states that an action leads to, from each of the states above; "–": it is refused. */
  const TABLE = {
    start: "– – running running – – – – – –",
    pause: "– – – paused paused – – – – –",
    resume: "– – – running running – – – – –",
    cancel: "cancelled cancelled cancelled cancelled cancelled – – cancelled – –",
    undo: "– – – – – undoing undoing undoing undoing –",
  } as const;

  it.each(Object.entries(TABLE))(
    "%s is possible in some states, and changes nothing when it is repeated",
    (name, row) => {
      const action = name as keyof typeof TABLE;
      const reached = STATUSES.map((status) => {
        const before = job(status);
        const after = changeJob(before, { action, starter: STARTER }, bulkJob, NOW);
        if (after?.status === status) expect(after).toBe(before);
        return after?.status ?? "–";
      });
      expect(reached.join(" ")).toBe(row);
    },
  );

  it("undo is refused for kinds that cannot be undone", () => {
    for (const kind of [tagJob, fileExportJob])
      expect(changeJob(job("done"), { action: "undo", starter: STARTER }, kind, NOW)).toBeNull();
  });

  it("makes who did it the starter, whose rights are checked from then on", () => {
    const starter = { type: "user", id: STARTER.id } as const;
    expect(changeJob(job("paused"), { action: "resume", starter }, bulkJob, NOW)).toMatchObject({
      starter,
      failures: 0,
      dueAt: NOW,
      done: 10,
    });
  });
});

describe("an inactive job", () => {
  it("is kept as long as its kind says, from its end or from its creation", () => {
    const expiryOf = (kind: typeof bulkJob) => endJob(job("running"), "done", kind, NOW).dueAt;
    expect(expiryOf(bulkJob)).toBe(NOW + JOB_TTL_MS);
    expect(expiryOf(tagJob)).toBe(NOW + 30 * DAY_MS);
    expect(expiryOf(fileExportJob)).toBe(CREATED + EXPORT_TTL_MS);
  });
});

describe("the result of a page", () => {
  const page = { position: 2, done: 5, counts: { changed: 5 } };

  it("is added to the job", () => {
    expect(turnPage(job("running"), job("running"), page, bulkJob, NOW)).toMatchObject({
      status: "running",
      position: 2,
      done: 15,
      total: 100,
      counts: { changed: 15 },
      failures: 0,
      dueAt: NOW,
    });
  });

  it("ends the job with the last page, whose number of items is then known", () => {
    const last = { position: null, done: 5 };
    const ended = turnPage(job("running"), job("running"), last, bulkJob, NOW);
    expect(ended).toMatchObject({ status: "done", done: 15, total: 15, finishedAt: NOW });
    expect(turnPage(job("undoing"), job("undoing"), last, bulkJob, NOW)).toMatchObject({ status: "undone", total: 15 });
    const read = (kind: typeof bulkJob) => turnPage(job("reading"), job("reading"), last, kind, NOW);
    expect(read(bulkJob)).toMatchObject({ status: "running", position: null, done: 0, total: 100 });
    expect(read(importJob)).toMatchObject({ status: "ready", position: null, dueAt: NOW + JOB_TTL_MS });
  });

  it("is stored after a pause, and after a cancellation if it can be undone", () => {
    const turn = (status: JobStatus, kind: typeof bulkJob) => turnPage(job("running"), job(status), page, kind, NOW);
    expect(turn("paused", bulkJob)).toMatchObject({ status: "paused", done: 15, dueAt: CREATED });
    expect(turn("cancelled", bulkJob)).toMatchObject({ status: "cancelled", done: 15, dueAt: CREATED });
    expect(turn("paused", tagJob)).toMatchObject({ status: "paused", done: 15 });
    expect(turn("cancelled", fileExportJob)).toBeNull();
  });

  it("counts no more if the page was done by another run, or the input was changed", () => {
    for (const other of [
      job("running", { position: 2 }),
      job("running", { input: "[]" }),
      job("failed"),
      job("undoing"),
    ])
      expect(turnPage(job("running"), other, page, bulkJob, NOW)).toBeNull();
  });
});
