import type { List } from "../list.ts";
import { Namespace, path } from "../namespace.ts";
import type { RequestOptions } from "../transport.ts";
import type {
  BulkJob,
  CursorQuery,
  Export,
  GetLinkQrCode,
  Import,
  MakeQrCode,
  PageQuery,
  StartBulkJob,
  StartExport,
  UpdateImport,
  UploadImport,
} from "../types.ts";

export class BulkJobs extends Namespace {
  start(job: StartBulkJob, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "POST", "/api/bulk", options, { body: job });
  }

  list(query?: CursorQuery, options?: RequestOptions): List<"jobs", BulkJob> {
    return this.pages("jobs", "/api/bulk", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "GET", path`/api/bulk/${id}`, options);
  }

  /** A CSV file. */
  downloadFailures(id: string, options?: RequestOptions): Promise<Response> {
    return this.file("GET", path`/api/bulk/${id}/failures`, options);
  }

  pause(id: string, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "POST", path`/api/bulk/${id}/pause`, options);
  }

  resume(id: string, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "POST", path`/api/bulk/${id}/resume`, options);
  }

  cancel(id: string, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "POST", path`/api/bulk/${id}/cancel`, options);
  }

  undo(id: string, options?: RequestOptions): Promise<BulkJob> {
    return this.one("job", "POST", path`/api/bulk/${id}/undo`, options);
  }
}

export class Imports extends Namespace {
  /** A CSV file as text or with this type, or a JSON file with the type `application/json`. */
  upload(file: string | Blob, query?: UploadImport, options?: RequestOptions): Promise<Import> {
    const type = (typeof file === "string" ? "" : file.type) || "text/csv";
    return this.one("import", "POST", "/api/imports", options, {
      query,
      file,
      headers: { "Content-Type": type, ...options?.headers },
    });
  }

  list(query?: CursorQuery, options?: RequestOptions): List<"imports", Import> {
    return this.pages("imports", "/api/imports", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "GET", path`/api/imports/${id}`, options);
  }

  update(id: string, changes: UpdateImport, options?: RequestOptions): Promise<Import> {
    return this.one("import", "PATCH", path`/api/imports/${id}`, options, { body: changes });
  }

  /** A CSV file. */
  downloadFailures(id: string, options?: RequestOptions): Promise<Response> {
    return this.file("GET", path`/api/imports/${id}/failures`, options);
  }

  start(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "POST", path`/api/imports/${id}/start`, options);
  }

  pause(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "POST", path`/api/imports/${id}/pause`, options);
  }

  resume(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "POST", path`/api/imports/${id}/resume`, options);
  }

  cancel(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "POST", path`/api/imports/${id}/cancel`, options);
  }

  undo(id: string, options?: RequestOptions): Promise<Import> {
    return this.one("import", "POST", path`/api/imports/${id}/undo`, options);
  }
}

export class Exports extends Namespace {
  start(settings: StartExport, options?: RequestOptions): Promise<Export> {
    return this.one("export", "POST", "/api/exports", options, { body: settings });
  }

  list(query?: PageQuery, options?: RequestOptions): List<"exports", Export> {
    return this.pages("exports", "/api/exports", options, query);
  }

  get(id: string, options?: RequestOptions): Promise<Export> {
    return this.one("export", "GET", path`/api/exports/${id}`, options);
  }

  /** The file of an export that is `done`. */
  download(id: string, options?: RequestOptions): Promise<Response> {
    return this.file("GET", path`/api/exports/${id}/file`, options);
  }
}

export class QrCodes extends Namespace {
  /** An image with the short URL. */
  getForLink(linkId: string, query?: GetLinkQrCode, options?: RequestOptions): Promise<Response> {
    return this.file("GET", path`/api/links/${linkId}/qr`, options, { query });
  }

  /** An image with any content. */
  make(code: MakeQrCode, options?: RequestOptions): Promise<Response> {
    return this.file("POST", "/api/qr", options, { body: code });
  }
}
