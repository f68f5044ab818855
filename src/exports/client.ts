import { isOverload } from "../lib/durable-objects.ts";
import type { FilePart } from "./export.ts";
import { MAX_EXPORT_READ_ATTEMPTS } from "./limits.ts";

/** The object's methods are those of its class in `src/objects.ts`. */
export type ExporterStub = ReturnType<Env["EXPORTER"]["getByName"]>;

/**
 * What an Exporter keeps: the exports of all data of an account, or those of links, clicks and QR codes. They are apart
 * because fewer callers may read the former.
 */
export type Shelf = "account" | "files";

/** An Exporter of an account. */
export function exporterOf(env: Env, accountId: number, shelf: Shelf): ExporterStub {
  return env.EXPORTER.getByName(`${shelf}:${accountId}`);
}

/** Ends the exports of an account and deletes their files. Idempotent. */
export async function deleteExports(env: Env, accountId: number): Promise<void> {
  for (const shelf of ["account", "files"] as const) await exporterOf(env, accountId, shelf).deleteAll();
}

/**
 * The bytes of a complete file. A part is read when the consumer wants it, and again if that fails: a restart of the
 * object breaks the calls that are running. If the file is deleted meanwhile, the stream fails.
 */
export function streamFile(exporter: ExporterStub, id: string): ReadableStream<Uint8Array> {
  let next: FilePart["next"] = { entry: 0, number: 0 };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await readPart(exporter, id, next);
        if (part === null) throw new Error("The file was deleted while it was read.");
        controller.enqueue(part.bytes);
        next = part.next;
        if (next === null) controller.close();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

async function readPart(exporter: ExporterStub, id: string, from: FilePart["next"]): Promise<FilePart | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await exporter.read(id, from);
    } catch (error) {
      if (attempt >= MAX_EXPORT_READ_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}
