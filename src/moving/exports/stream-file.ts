import { inflateRawSync } from "node:zlib";
import type { AccountContext } from "../../platform/context.ts";
import { jobRunnerOf, type JobRunnerStub } from "../../jobs/runner-stub.ts";
import type { FilePart, PieceKey } from "../../jobs/job.ts";
import type { Lane } from "../../jobs/lane.ts";
import { isOverload } from "../../platform/lib/durable-objects.ts";
import { EXPORT_CHUNK_BYTES, MAX_EXPORT_READ_ATTEMPTS } from "./limits.ts";

/**
 * The bytes of a complete file, whose pieces are compressed by themselves if it `isPacked`. A part is read when the consumer
 * wants it, and again if that fails: a restart of the object breaks the calls that are running. If the file is deleted
 * meanwhile, the stream fails.
 */
export function streamFile(
  { env, principal }: AccountContext,
  lane: Lane,
  id: string,
  isPacked: boolean,
): ReadableStream<Uint8Array> {
  const pieces = readPieces(jobRunnerOf(env, principal.accountId, lane.name), id);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(isPacked ? inflateRawSync(value, { maxOutputLength: EXPORT_CHUNK_BYTES }) : value);
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

async function* readPieces(runner: JobRunnerStub, id: string): AsyncGenerator<Uint8Array, undefined> {
  let next: PieceKey | null = null;
  do {
    const part: FilePart | null = await readPart(runner, id, next);
    if (part === null) throw new Error("The file was deleted while it was read.");
    yield* part.pieces;
    next = part.next;
  } while (next !== null);
}

async function readPart(runner: JobRunnerStub, id: string, after: PieceKey | null): Promise<FilePart | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runner.readFile(id, after);
    } catch (error) {
      if (attempt >= MAX_EXPORT_READ_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}
