import { conflict, limitReached, notFound, rateLimited } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { toSeconds } from "../rate-limit/rate-limit.ts";
import type { ExportState, Kind, StartOutcome } from "./export.ts";
import { boundsOf } from "./kinds.ts";
import type { ExporterStub } from "./client.ts";
import { MAX_RUNNING_EXPORTS } from "./limits.ts";

/** Returns the started export. Throws a 409 or a 429 if it was not started. */
export function requireStarted(kind: Kind, result: StartOutcome): ExportState {
  if (result.outcome === "started") return result.state;
  if (result.outcome === "too_many_running")
    throw limitReached(`${MAX_RUNNING_EXPORTS} exports of this account are running. Wait until one of them is done.`);
  const limit = boundsOf(kind).perWindow;
  const seconds = toSeconds(result.waitMs);
  throw rateLimited(`This account started ${limit} exports in the last hour, which is the maximum.`, seconds, {
    limit,
    remaining: 0,
  });
}

/** Returns the export. Throws 404 if the Exporter has none with this id. */
export async function requireExport(exporter: ExporterStub, id: string): Promise<ExportState> {
  const found = isId(id) ? await exporter.find(id) : null;
  if (found === null) throw notFound("There is no such export, or it has expired.");
  return found;
}

/** Returns the size of the file in bytes. Throws 409 while there is no file. */
export function requireFile({ status, size, error }: Pick<ExportState, "status" | "size" | "error">): number {
  if (status === "failed") throw conflict(`The export failed. ${error ?? ""}`);
  if (size === null) throw conflict("The export is not done yet. Read its status until it is.");
  return size;
}
