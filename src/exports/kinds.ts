import type { Permission } from "../auth/permissions.ts";
import type { FileKind, Format, Kind } from "./export.ts";
import {
  MAX_ACCOUNT_EXPORT_BYTES,
  MAX_ACCOUNT_EXPORTS_PER_WINDOW,
  MAX_FILE_EXPORT_BYTES,
  MAX_FILE_EXPORTS_PER_WINDOW,
  MAX_KEPT_ACCOUNT_EXPORTS,
  MAX_KEPT_FILE_EXPORTS,
} from "./limits.ts";

/** The permissions that a caller needs for an export and its file. */
export const FILE_PERMISSIONS: Record<FileKind, readonly Permission[]> = {
  links: ["bulk", "links:read"],
  clicks: ["bulk", "clicks:read"],
  qr: ["bulk", "links:read"],
};

interface Bounds {
  /** Exports that an account starts in any `EXPORT_WINDOW_MS`. */
  perWindow: number;
  /** Exports of an account that are kept. */
  kept: number;
  /** Stored bytes of one file. */
  bytes: number;
}

export function boundsOf(kind: Kind): Bounds {
  return kind === "account"
    ? { perWindow: MAX_ACCOUNT_EXPORTS_PER_WINDOW, kept: MAX_KEPT_ACCOUNT_EXPORTS, bytes: MAX_ACCOUNT_EXPORT_BYTES }
    : { perWindow: MAX_FILE_EXPORTS_PER_WINDOW, kept: MAX_KEPT_FILE_EXPORTS, bytes: MAX_FILE_EXPORT_BYTES };
}

interface FileType {
  contentType: string;
  extension: string;
  /** Whether each stored piece is compressed by itself, unlike the file. */
  isPacked: boolean;
}

export function fileTypeOf({ format }: { format: Format }): FileType {
  if (format === "csv") return { contentType: "text/csv; charset=utf-8", extension: "csv", isPacked: true };
  if (format === "json") return { contentType: "application/json", extension: "json", isPacked: true };
  return { contentType: "application/zip", extension: "zip", isPacked: false };
}
