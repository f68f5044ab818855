import type { MemberPermission, Permission } from "../../platform/auth/permissions.ts";
import type { Lane } from "../../jobs/lane.ts";
import type { ApiKind } from "../../jobs/requests.ts";
import type { FileKind, Format, Kind } from "./export.ts";
import {
  EXPORT_WINDOW_MS,
  MAX_ACCOUNT_EXPORT_BYTES,
  MAX_ACCOUNT_EXPORTS_PER_WINDOW,
  MAX_FILE_EXPORT_BYTES,
  MAX_FILE_EXPORTS_PER_WINDOW,
  MAX_KEPT_ACCOUNT_EXPORTS,
  MAX_KEPT_FILE_EXPORTS,
  MAX_RUNNING_EXPORTS,
} from "./limits.ts";

// Exports of all data and those of links, clicks and QR codes are apart: fewer callers may read the former, and the files of
// both do not fit into one Durable Object.

const laneOf = (name: Lane["name"], perWindow: number, kept: number): Lane => ({
  name,
  resource: "export",
  limits: { perWindow, windowMs: EXPORT_WINDOW_MS, running: MAX_RUNNING_EXPORTS },
  kept: { jobs: kept, bytes: Infinity },
  isInOrder: false,
});

export const ACCOUNT_EXPORTS: ApiKind = {
  kind: "account-export",
  resource: "account_export",
  lane: laneOf("account-exports", MAX_ACCOUNT_EXPORTS_PER_WINDOW, MAX_KEPT_ACCOUNT_EXPORTS),
};

export const FILE_EXPORTS: ApiKind = {
  kind: "file-export",
  resource: "export",
  lane: laneOf("file-exports", MAX_FILE_EXPORTS_PER_WINDOW, MAX_KEPT_FILE_EXPORTS),
};

/** The permissions that a caller needs for an export and its file. */
export const FILE_PERMISSIONS: Record<FileKind, readonly Permission[]> = {
  links: ["bulk", "links:read"],
  clicks: ["bulk", "clicks:read"],
  qr: ["bulk", "links:read"],
};

export function permissionsOf(kind: Kind): readonly (Permission | MemberPermission)[] {
  return kind === "account" ? ["account:export"] : FILE_PERMISSIONS[kind];
}

/** Stored bytes that a file may have. */
export function maxBytesOf(kind: Kind): number {
  return kind === "account" ? MAX_ACCOUNT_EXPORT_BYTES : MAX_FILE_EXPORT_BYTES;
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
