import type { Exporter } from "../background/objects.ts";
import { isOverload } from "../lib/durable-objects.ts";
import { MAX_EXPORT_READ_ATTEMPTS } from "../limits.ts";
import type { FilePart } from "./export.ts";

/** The Exporter of an account. */
export function exporterOf(env: Env, accountId: number): DurableObjectStub<Exporter> {
  return env.EXPORTER.getByName(`account:${accountId}`);
}

/** Ends the exports of an account and deletes its files. Idempotent. */
export async function deleteExports(env: Env, accountId: number): Promise<void> {
  await exporterOf(env, accountId).deleteAll();
}

/**
 * The bytes of a complete file. A part is read when the consumer wants it, and again if that fails: a restart of the
 * object breaks the calls that are running. If the file is deleted meanwhile, the stream fails.
 */
export function streamFile(env: Env, accountId: number, id: string): ReadableStream<Uint8Array> {
  let next: FilePart["next"] = { entry: 0, number: 0 };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await readPart(env, accountId, id, next);
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

async function readPart(env: Env, accountId: number, id: string, from: FilePart["next"]): Promise<FilePart | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await exporterOf(env, accountId).read(id, from);
    } catch (error) {
      if (attempt >= MAX_EXPORT_READ_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}
