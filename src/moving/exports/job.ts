import { addAuditEntry, isFirstEntry } from "../../access/audit/store/entries.ts";
import { isConfirmedSince } from "../../platform/auth/store/conditions.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf } from "../../platform/database/parameters.ts";
import { fault } from "../../platform/http/faults.ts";
import { NOT_ALLOWED, type JobContext, type JobKind, type JobPage } from "../../jobs/kind.ts";
import { EXPORT_POLL_MS } from "../../limits.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import { parseInput, type ExportDetails } from "./export.ts";
import { FileWriter, type Section } from "./file-writer.ts";
import { ACCOUNT_EXPORTS, FILE_EXPORTS, maxBytesOf, permissionsOf } from "./kinds.ts";
import { EXPORT_PAGES_PER_ALARM, EXPORT_TTL_MS } from "./limits.ts";
import { planOf, type Counts } from "./plan.ts";

// Exports copy records into a file. A page is read, compressed and stored together with the position of the next one. So a crash
// repeats the page that it interrupted, and stores it once.

const TRAITS: Omit<JobKind, "lane"> = {
  permissionsOf: (input) => permissionsOf(parseInput(input).subject.kind),
  startsByItself: true,
  outlivesDeletion: false,
  pagesPerAlarm: EXPORT_PAGES_PER_ALARM,
  pauseMs: 0,
  kept: { ms: EXPORT_TTL_MS, from: "creation" },
  read: begin,
  run: copyPage,
};

/** Writes all data of an account into a file. */
export const accountExportJob: JobKind = { lane: ACCOUNT_EXPORTS.lane, ...TRAITS };
/** Writes links, clicks or QR codes into a file. */
export const fileExportJob: JobKind = { lane: FILE_EXPORTS.lane, ...TRAITS };

/** Records the export in the audit log before anything is read, and tells the person who exports all data. */
async function begin(context: JobContext): Promise<JobPage> {
  const { db, jobId, now, starter, principal } = context;
  const { subject, country } = parseInput(context.input);
  // Another request may have ended the session that started it, or its confirmation.
  const isAllowed =
    subject.kind === "account"
      ? allOf(context.isAllowed, isConfirmedSince(subject.session.id, subject.session.confirmedAt))
      : context.isAllowed;
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  const mail =
    subject.kind === "account"
      ? await addNotice(batch, context, "export_started", subject.email, allOf(isAllowed, isFirstEntry(jobId)))
      : null;
  const account = { id: principal.accountId };
  const entry = { id: jobId, account, actor: starter, action: "export.create", targetId: jobId, country } as const;
  addAuditEntry(batch, entry, now, isAllowed);
  await batch.commitWithRetry();
  if (check.first === undefined) return { position: null, done: 0, error: NOT_ALLOWED };
  if (mail !== null) deliverMails(context, mail);
  return { position: null, done: 0, total: await planOf(subject).count(context) };
}

/** Where the next page of an export starts. */
interface Position {
  /** The number of its source. */
  source: number;
  /** The last record that was read, in the form of the source; null: none yet. */
  after: unknown;
  counts: Counts;
  /** The file, as far as it is written. */
  sections: Section[];
}

const START: Position = { source: 0, after: null, counts: {}, sections: [] };

async function copyPage(context: JobContext): Promise<JobPage> {
  const { subject } = parseInput(context.input);
  const plan = planOf(subject);
  const position = (context.position ?? START) as Position;
  const file = new FileWriter(position.sections);
  const step = plan.steps[position.source];
  if (step === undefined) {
    const size = await plan.finish(file, position.counts, context);
    return {
      position: null,
      done: 0,
      records: file.records,
      details: JSON.stringify({ size } satisfies ExportDetails),
    };
  }
  const { source, append } = step;
  if (source.release !== undefined) context.afterAlarm(source.name, async () => source.release?.(context));
  const { records, next, waitMs, error } = await source.read(context, position.after);
  if (error !== undefined) return { position, done: 0, error };
  if (waitMs > 0) return { position, done: 0, waitMs: Math.min(waitMs, EXPORT_POLL_MS) };
  append(file, records, context);
  const maxBytes = maxBytesOf(subject.kind);
  if (file.storedBytes > maxBytes)
    return { position, done: 0, error: fault("", "export_too_large", { max: maxBytes }) };
  return {
    position: {
      source: next === null ? position.source + 1 : position.source,
      after: next,
      counts: { ...position.counts, [source.name]: (position.counts[source.name] ?? 0) + records.length },
      sections: file.sections,
    } satisfies Position,
    done: records.length,
    records: file.records,
  };
}
