import { badRequest, invalidFile, payloadTooLarge } from "../../platform/http/errors.ts";
import { jobRunnerOf } from "../../jobs/runner-stub.ts";
import { FILE } from "../../jobs/kind.ts";
import type { JobOutcome, JobRecord, NewJob } from "../../jobs/job.ts";
import { MAX_JOB_RECORD_BYTES } from "../../limits.ts";
import { FileError, type Layout } from "./formats/file.ts";
import { toUtf8 } from "./formats/encoding.ts";
import { findLayout } from "./formats/layout.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { MAX_IMPORT_FILE_BYTES } from "./limits.ts";

const TOO_LARGE = () => payloadTooLarge("file_too_large", { max: MAX_IMPORT_FILE_BYTES });

type UploadedJob = Omit<NewJob, "input" | "total" | "isReceiving">;

/**
 * Stores a file in the records of a new job, piece by piece. Only one piece is in memory. `toInput` makes the input of the job
 * from the file's layout. Throws if the file cannot be one of links; the job is then cancelled.
 */
export async function uploadFile(
  { env, principal }: RequestContext,
  job: UploadedJob,
  body: ReadableStream<Uint8Array>,
  toInput: (layout: Layout) => string,
): Promise<JobOutcome> {
  const runner = jobRunnerOf(env, principal.accountId, "jobs");
  let number = 0;
  let isStarted = false;
  try {
    let outcome: JobOutcome | null = null;
    for await (const { bytes, isLast } of readPieces(body)) {
      const records: JobRecord[] = [{ list: FILE, number: number++, part: 0, value: bytes }];
      if (!isStarted) {
        const input = toInput(findLayout(bytes));
        outcome = await runner.start({ ...job, input, total: 0, isReceiving: true }, records);
        if (outcome.outcome !== "ok") return outcome;
        isStarted = true;
        if (isLast) outcome = await runner.receive(job.id, [], true);
      } else outcome = await runner.receive(job.id, records, isLast);
      if (outcome.outcome !== "ok") return outcome;
    }
    return outcome ?? { outcome: "not_found" };
  } catch (error) {
    if (isStarted) await runner.change(job.id, { action: "cancel", starter: job.starter }).catch(() => null);
    throw error instanceof FileError ? invalidFile(error.fault) : error;
  } finally {
    await body.cancel().catch(() => null);
  }
}

/** The file in UTF-8, in pieces of {@link MAX_JOB_RECORD_BYTES}. Throws as soon as it is too large, or cannot be read. */
async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  const piece = new Uint8Array(MAX_JOB_RECORD_BYTES);
  let length = 0;
  for await (const chunk of toUtf8(read(body))) {
    for (let start = 0; start < chunk.byteLength;) {
      // A full piece waits until more follows, so that the last one is known.
      if (length === piece.byteLength) {
        yield { bytes: piece.slice(), isLast: false };
        length = 0;
      }
      const part = chunk.subarray(start, start + piece.byteLength - length);
      piece.set(part, length);
      length += part.byteLength;
      start += part.byteLength;
    }
  }
  yield { bytes: piece.slice(0, length), isLast: true };
}

/** The chunks of a body, until it is too large. The runtime's error for an incomplete one would look like a failure of the database. */
async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw badRequest("file_not_whole");
      });
      if (done) return;
      total += value.byteLength;
      if (total > MAX_IMPORT_FILE_BYTES) throw TOO_LARGE();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => null);
    reader.releaseLock();
  }
}

/** Throws a 413 for a body that says that it is too large. */
export function requireSize(contentLength: string | undefined): void {
  if (Number(contentLength ?? 0) > MAX_IMPORT_FILE_BYTES) throw TOO_LARGE();
}
