import type { Context } from "hono";
import { isUnchanged } from "../http/etag.ts";
import { type ExporterStub, streamFile } from "./client.ts";
import type { ExportState, Format } from "./export.ts";
import { fileTypeOf } from "./kinds.ts";
import { requireFile } from "./outcome.ts";

/** The file of the export, which never changes. `name` is the beginning of its name. Throws 409 while there is no file. */
export function respondWithFile(
  c: Context,
  exporter: ExporterStub,
  state: Pick<ExportState, "id" | "status" | "size" | "error" | "createdAt"> & { format: Format },
  name: string,
): Response {
  const size = requireFile(state);
  const hasFile = isUnchanged(c, state.id);
  // Browsers keep no copy of the account's data.
  c.header("Cache-Control", "no-store");
  if (hasFile) return c.body(null, 304);
  const { contentType, extension } = fileTypeOf(state);
  const date = new Date(state.createdAt).toISOString().slice(0, 10);
  const headers = {
    "Content-Disposition": `attachment; filename="${name}-${date}.${extension}"`,
    "Content-Type": contentType,
    "Content-Length": String(size),
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  // The runtime sends Content-Length only for a stream whose length it knows.
  return c.body(streamFile(exporter, state.id).pipeThrough(new FixedLengthStream(size)), 200, headers);
}
