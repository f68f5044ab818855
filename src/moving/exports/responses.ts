import type { Context } from "hono";
import type { AccountContext } from "../../platform/context.ts";
import { conflict } from "../../platform/http/errors.ts";
import type { FaultCode } from "../../platform/http/fault-codes.ts";
import { isUnchanged } from "../../platform/http/etag.ts";
import type { Lane } from "../../jobs/lane.ts";
import type { Caller } from "../../access/audit/change.ts";
import { streamFile } from "./stream-file.ts";
import { recordDownload } from "./store/downloads.ts";
import type { ExportState, Format } from "./export.ts";
import { fileTypeOf } from "./kinds.ts";

type FileState = Pick<ExportState, "id" | "status" | "size" | "createdAt"> & {
  format: Format;
  fault: { code: FaultCode } | null;
};

interface ExportFile {
  lane: Lane;
  state: FileState;
  /** The beginning of its name. */
  name: string;
  /** The session whose identity must be confirmed; null: the download needs none. */
  session: { id: string; confirmedAt: number } | null;
}

/** The file of an export, which never changes, with an entry in the audit log. Throws 409 while there is no file. */
export async function respondWithFile(
  c: Context,
  context: AccountContext & Caller,
  { lane, state, name, session }: ExportFile,
): Promise<Response> {
  const size = requireFile(state);
  const hasFile = isUnchanged(c, state.id);
  // Browsers keep no copy of the account's data.
  c.header("Cache-Control", "no-store");
  if (hasFile) return c.body(null, 304);
  const { contentType, extension, isPacked } = fileTypeOf(state);
  const date = new Date(state.createdAt).toISOString().slice(0, 10);
  const headers = {
    "Content-Disposition": `attachment; filename="${name}-${date}.${extension}"`,
    "Content-Type": contentType,
    "Content-Length": String(size),
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  await recordDownload(context.db, context, state.id, session);
  // The runtime sends Content-Length only for a stream whose length it knows.
  const file = streamFile(context, lane, state.id, isPacked);
  return c.body(file.pipeThrough(new FixedLengthStream(size)), 200, headers);
}

/** Returns the size of the file in bytes. */
function requireFile({ status, size, fault }: FileState): number {
  if (status === "failed") throw conflict("export_failed", fault === null ? {} : { reason: fault.code });
  if (size === null) throw conflict("export_not_done");
  return size;
}
