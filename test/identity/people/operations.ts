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
  /** null: none is needed. */
  permission: Permission | MemberPermission | null;
  acceptsKeys: boolean;
}

/** All operations that any session can call, from the OpenAPI document for contributors. test/safety has those of operators. */
export function readOperations(): Operation[] {
  const { paths } = documents.ofAll(BASE_URL) as {
    paths: Record<string, Record<string, { description?: string; security?: Record<string, unknown>[] }>>;
  };
  const ofEverybody = Object.entries(paths).filter(([path]) => !path.startsWith("/api/admin/"));
  return ofEverybody.flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.some((each) => "session" in each))
      .map(([method, { description = "", security = [] }]) => ({
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, SOME_ID),
        name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        permission: (/Permissions?: `([\w:]+)`/.exec(description)?.[1] ?? null) as Operation["permission"],
        acceptsKeys: security.some((each) => "apiKey" in each),
      })),
  );
}

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
