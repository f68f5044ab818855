import { allOf, ALWAYS, holds, type Condition } from "../../database/parameters.ts";
import type { MemberPermission, Permission } from "../permissions.ts";
import { isDeletedPerson } from "../../database/account-states.ts";
import { rolesWith, type Role } from "../roles.ts";
import { CONFIRMATION_TTL_MS } from "../limits.ts";
import { SESSION_IDLE_TTL_MS, SESSION_TTL_MS } from "../../../limits.ts";

/** Holds while the key of the account is valid and has all of the permissions. */
export function keyAllows(
  accountId: number,
  keyId: string,
  permissions: readonly Permission[],
  now: number,
): Condition {
  // The plus keeps SQLite from making a join of the subquery, whose order depends on statistics.
  return holds`+EXISTS (SELECT 1 FROM api_keys WHERE id = ${keyId} AND account_id = ${accountId}
    AND revoked_at IS NULL AND coalesce(expires_at > ${now}, true) AND ${hasAll("permissions", permissions)})`;
}

/** Holds if the column, a JSON list of texts, has all of these. Its text is searched: json_each would read a row for each. */
function hasAll(column: string, texts: readonly string[]): Condition {
  return allOf(ALWAYS, ...texts.map((text) => holds`instr(${() => column}, ${JSON.stringify(text)}) > 0`));
}

/**
 * Holds if the key was made by the operator or in a line of keys that began there, or if the person at the head of the line
 * still has one of the roles in the account.
 */
export function hasHeadWithRole(accountId: number, keyId: string, roles: readonly Role[]): Condition {
  return holds`EXISTS (SELECT 1 FROM api_keys k WHERE id = ${keyId} AND (descends_from IS NULL OR EXISTS (
    SELECT 1 FROM memberships WHERE account_id = ${accountId} AND user_id = k.descends_from
      AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)}))
      AND NOT ${() => isDeletedPerson("k.descends_from")})))`;
}

/** Holds unless the person is deleted. */
export function isLivePerson(id: string): Condition {
  return (parameters) => `NOT ${isDeletedPerson(parameters.add(id))}`;
}

/** Holds while the user has one of the roles. */
export function hasRole(accountId: number, userId: string, roles: readonly Role[]): Condition {
  return holds`EXISTS (SELECT 1 FROM memberships WHERE account_id = ${accountId}
    AND user_id = ${userId}
    AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)})))`;
}

/**
 * The SQL expression for whether a user has a second factor. `user` is a column or a placeholder. Recovery codes alone are
 * none.
 */
export function factorExists(user: string): string {
  return `(EXISTS (SELECT 1 FROM totp_factors t WHERE t.user_id = ${user} AND t.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${user}))`;
}

/**
 * The SQL expression for whether a second factor was given in a session, of a person who still has one. `session` is the name
 * of its table.
 */
export function factorGiven(session: string): string {
  return `(${session}.factor_at IS NOT NULL AND ${factorExists(`${session}.user_id`)})`;
}

/** Holds while the app may act for the account and has all of the permissions: while its next request would be accepted. */
export function appActs(
  accountId: number,
  grantId: string,
  permissions: readonly (Permission | MemberPermission)[],
  now: number,
): Condition {
  const roles = JSON.stringify(rolesWith(...permissions));
  return holds`EXISTS (SELECT 1 FROM oauth_grants g
    CROSS JOIN memberships m ON m.account_id = g.account_id AND m.user_id = g.user_id
    CROSS JOIN accounts a ON a.id = g.account_id
    WHERE g.id = ${grantId} AND g.account_id = ${accountId} AND g.expires_at > ${now}
      AND ${hasAll("g.scopes", permissions)} AND m.role IN (SELECT value FROM json_each(${roles}))
      AND a.disabled_at IS NULL AND a.deleted_at IS NULL AND NOT ${() => isDeletedPerson("g.user_id")}
      AND NOT ${() => isDisabledPerson("g.user_id")} AND (a.require_mfa = 0 OR ${() => factorGiven("g")}))`;
}

/** SQL that holds if the operator has disabled the person with this user id, which is to disable the personal account. */
export function isDisabledPerson(userId: string): string {
  return `EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = ${userId} AND disabled_at IS NOT NULL)`;
}

/** The times after which a session that has not ended was created and last used, Unix milliseconds. */
export function ends(now: number): [number, number] {
  return [now - SESSION_TTL_MS, now - SESSION_IDLE_TTL_MS];
}

/** Holds while the session has not been ended and its person proved who they are less than {@link CONFIRMATION_TTL_MS} ago. */
export function isConfirmed(sessionId: string, now: number): Condition {
  return isConfirmedSince(sessionId, now - CONFIRMATION_TTL_MS + 1);
}

/** Holds while the session has not been ended and its person proved who they are at or after this time, Unix milliseconds. */
export function isConfirmedSince(sessionId: string, since: number): Condition {
  return holds`EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND confirmed_at >= ${since})`;
}

/** Holds while the session may act for the account in one of the roles: while its next request would be accepted. */
export function sessionActs(accountId: number, sessionId: string, roles: readonly Role[], now: number): Condition {
  const [createdAfter, seenAfter] = ends(now);
  return holds`EXISTS (SELECT 1 FROM sessions s CROSS JOIN memberships m ON m.user_id = s.user_id
    CROSS JOIN accounts a ON a.id = m.account_id
    WHERE s.id = ${sessionId} AND s.created_at > ${createdAfter} AND s.last_seen_at > ${seenAfter}
      AND m.account_id = ${accountId} AND m.role IN (SELECT value FROM json_each(${JSON.stringify(roles)}))
      AND a.disabled_at IS NULL AND a.deleted_at IS NULL AND NOT ${() => isDeletedPerson("s.user_id")}
      AND (a.require_mfa = 0 OR ${() => factorGiven("s")}))`;
}
