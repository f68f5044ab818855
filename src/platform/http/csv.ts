import type { Context } from "hono";

/** The headers of a response that may be a CSV file, in the OpenAPI document. */
export const CSV_HEADERS = {
  "Content-Disposition": { description: "The name of the file, for CSV.", schema: { type: "string" as const } },
};

/** Responds with a CSV file of this name. */
export async function respondWithCsv(c: Context, csv: ReadableStream<Uint8Array>, name: string): Promise<Response> {
  const headers = {
    "Content-Disposition": `attachment; filename="${name}.csv"`,
    "Content-Type": "text/csv; charset=utf-8",
  };
  if (c.req.method !== "HEAD") return c.body(csv, 200, headers);
  // Nobody reads the body of a response to HEAD, and a source that is not read would block others.
  await csv.cancel();
  return c.body(null, 200, headers);
}
