import { isDeletedPerson } from "../../../platform/database/account-states.ts";
import type { AppLanguage } from "../../../platform/languages.ts";
import type { Session } from "../session.ts";
import { factorExists, factorGiven } from "../../../platform/auth/store/conditions.ts";

export interface SessionRow {
  id: string;
  hash: string;
  user_id: string;
  email: string;
  name: string;
  user_created_at: number;
  language: AppLanguage | null;
  created_at: number;
  last_seen_at: number;
  confirmed_at: number;
  device: string;
  browser: string;
  os: string;
  country: string | null;
  browser_version: string | null;
  os_version: string | null;
  has_factor: number;
  gave_factor: number;
  is_deleted: number;
}

export const SESSION_COLUMNS = `s.id, s.hash, s.user_id, u.email, u.name, u.created_at AS user_created_at, u.language, s.created_at, s.last_seen_at,
  s.confirmed_at, s.device, s.browser, s.os, s.country, s.browser_version, s.os_version, ${factorExists("s.user_id")} AS has_factor,
  ${factorGiven("s")} AS gave_factor,
  ${isDeletedPerson("s.user_id")} AS is_deleted`;
export const SESSIONS = "FROM sessions s JOIN users u ON u.id = s.user_id";
/** Needs the times of {@link ends} as the first two values. */
export const ALIVE = "s.created_at > ?1 AND s.last_seen_at > ?2";

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    hash: row.hash,
    user: {
      id: row.user_id,
      email: row.email,
      name: row.name,
      language: row.language,
      createdAt: row.user_created_at,
    },
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    confirmedAt: row.confirmed_at,
    device: row.device,
    browser: row.browser,
    os: row.os,
    country: row.country,
    browserVersion: row.browser_version,
    osVersion: row.os_version,
    hasFactor: row.has_factor === 1,
    gaveFactor: row.gave_factor === 1,
    isDeleted: row.is_deleted === 1,
  };
}
