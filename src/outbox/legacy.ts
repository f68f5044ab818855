import { outboxStatements as statements, type EventIds, type EventSource } from "./statements.ts";

// Bridge for stores that do not use OutboxBatch yet. To be deleted with its last caller.

export function outboxStatements(db: D1Database, source: EventSource, ids: EventIds): D1PreparedStatement[] {
  return statements(source, ids).map(({ sql, values }) => db.prepare(sql).bind(...values));
}

export function wokenBy(result: D1Result | undefined): string[] {
  const rows = (result?.results ?? []) as { webhooks: string }[];
  return [...new Set(rows.flatMap(({ webhooks }) => JSON.parse(webhooks) as string[]))];
}
