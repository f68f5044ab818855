import { expect } from "vitest";
import { ORIGIN } from "./dashboard.ts";

interface Statement {
  sql: string;
  values: unknown[];
}

const prepare = (sql: string) => ({ bind: (...values: unknown[]): Statement => ({ sql, values }) });

async function batch(statements: readonly Statement[]): Promise<unknown> {
  const response = await fetch(`${ORIGIN}/test/database`, { method: "POST", body: JSON.stringify(statements) });
  expect(response.status).toBe(200);
  return response.json();
}

/** The database of the service (worker.js). */
export const database = { prepare, batch } as unknown as D1Database;
