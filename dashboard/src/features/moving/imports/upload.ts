import { ApiError, call, inPlainWords, urlOf } from "#dashboard/api/client.ts";
import type { ErrorBody } from "#dashboard/api/error-body.ts";
import type { Import } from "#dashboard/api/types.ts";
import { formatMegabytes } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { MAX_IMPORT_FILE_BYTES } from "#src/moving/imports/limits.ts";

export interface UploadRequest {
  file: File;
  source: Import["source"];
  accountId: string;
  /** Gets the bytes that were sent. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Why the file cannot be uploaded; null if it can. */
export function findFault(file: File): string | null {
  const { drop } = texts.importing;
  if (file.size === 0) return drop.empty(file.name);
  if (file.size > MAX_IMPORT_FILE_BYTES)
    return drop.tooLarge(file.name, formatMegabytes(file.size), formatMegabytes(MAX_IMPORT_FILE_BYTES));
  return null;
}

/**
 * Uploads a file and returns the import, which is being read. By XMLHttpRequest: `fetch` does not tell how much was sent. Throws
 * an {@link ApiError}, also with the code `cancelled` after an abort.
 */
export function uploadFile({ file, source, accountId, onProgress, signal }: UploadRequest): Promise<Import> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", urlOf("/api/imports", { source }));
    request.setRequestHeader(
      "Content-Type",
      /\.(json|jsonl|ndjson)$/i.test(file.name) ? "application/json" : "text/csv",
    );
    request.setRequestHeader("X-Account-Id", accountId);
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () => {
      const body = parseBody(request);
      if (request.status === 202) resolve((body as { import: Import }).import);
      else void toError(request, body).then(reject);
    });
    request.addEventListener("error", () =>
      reject(new ApiError(0, { error: "The service could not be reached.", code: "offline" }, null)),
    );
    request.addEventListener("abort", () =>
      reject(new ApiError(0, { error: "The upload was cancelled.", code: "cancelled" }, null)),
    );
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function parseBody(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return { error: `The service responded with ${request.status}.`, code: "internal" };
  }
}

async function toError(request: XMLHttpRequest, body: unknown): Promise<ApiError> {
  const headers = new Headers();
  for (const name of ["Retry-After", "X-Request-Id"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  // Reads the session, so that the page asks to sign in again.
  if (request.status === 401) void call("GET", "/api/auth/session").catch(() => undefined);
  return new ApiError(request.status, await inPlainWords(body as ErrorBody), headers);
}
