import { inject } from "vitest";
import type { MemberPermission, Permission } from "../../../src/platform/auth/permissions.ts";
import { documents } from "../../../src/app.ts";
import { BASE_URL, call } from "../../support/api.ts";

export const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

/** An operation of the API that a session can call. */
export interface Operation {
  method: string;
  /** With {@link SOME_ID} for each parameter. */
  path: string;
  /** As in the table of rate limits, such as `GET /api/links/:id`. */
  name: string;
  /** The first one; null: none is needed. */
  permission: Permission | MemberPermission | null;
  permissions: readonly (Permission | MemberPermission)[];
  acceptsKeys: boolean;
}

interface Described {
  description?: string;
  security?: Record<string, unknown>[];
}

/** All operations of the OpenAPI document for contributors that `isMeant`. */
function readWhere(isMeant: (path: string, security: Record<string, unknown>[]) => boolean): Operation[] {
  const { paths } = documents.ofAll(BASE_URL) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => isMeant(path, security))
      .map(([method, { description = "", security = [] }]) => {
        const [named = ""] = /Permissions?: `[\w:]+`(?: and `[\w:]+`)*/.exec(description) ?? [];
        const permissions = [...named.matchAll(/`([\w:]+)`/g)].map(([, name]) => name as Permission);
        return {
          method: method.toUpperCase(),
          path: path.replaceAll(/\{\w+\}/g, SOME_ID),
          name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
          permission: permissions[0] ?? null,
          permissions,
          acceptsKeys: security.some((each) => "apiKey" in each),
        };
      }),
  );
}

const isOfSessions = (security: Record<string, unknown>[]) => security.some((each) => "session" in each);

/** All operations that any session can call. test/safety has those of operators. */
export const readOperations = (): Operation[] =>
  readWhere((path, security) => isOfSessions(security) && !path.startsWith("/api/admin/"));

/** All others: for everybody, for the way to a session, and for operators. */
export const readOtherOperations = (): Operation[] =>
  readWhere((path, security) => !isOfSessions(security) || path.startsWith("/api/admin/"));

/** One operation of each kind, or all of them each night: for what the guards decide, which are the same for the whole kind. */
export function oneOfEachKind(operations: Operation[], kindOf: (operation: Operation) => string): Operation[] {
  if (inject("isNightly")) return operations;
  return [...new Map(operations.map((operation) => [kindOf(operation), operation])).values()];
}

export interface Credentials {
  cookie?: string | undefined;
  account?: string | undefined;
  key?: string | undefined;
}

/** Sends a request with an empty body, or one without a body for reads and deletions. */
export function request({ method, path }: Pick<Operation, "method" | "path">, { cookie, account, key }: Credentials) {
  const headers = {
    Origin: BASE_URL,
    ...(cookie === undefined ? {} : { Cookie: `__Host-tern=${cookie}` }),
    ...(account === undefined ? {} : { "X-Account-Id": account }),
  };
  const body = method === "GET" || method === "DELETE" ? undefined : {};
  return call(method, path, { key, headers, body });
}
