import { holds, Parameters, type Condition, type Value } from "./parameters.ts";
import { MAX_WRITE_ATTEMPTS } from "../../limits.ts";
import { isTransient } from "./errors.ts";

/** The database, or a session of it. */
export type Statements = Pick<D1Database, "prepare" | "batch">;

/** The result of one statement of a {@link Batch}. It can be read once the batch is committed. */
export class Result<Row> {
  #result: D1Result<Row> | null = null;

  get rows(): Row[] {
    return this.#committed.results;
  }

  get first(): Row | undefined {
    return this.rows[0];
  }

  /** Rows that the statement and its triggers changed. */
  get changes(): number {
    return this.#committed.meta.changes;
  }

  set(result: D1Result<Row>): void {
    this.#result = result;
  }

  get #committed(): D1Result<Row> {
    if (this.#result === null) throw new Error("the batch is not committed");
    return this.#result;
  }
}

/** Statements that run in order, in one transaction and one round trip to D1. */
export class Batch {
  readonly #db: Statements;
  readonly #statements: D1PreparedStatement[] = [];
  readonly #results: Result<unknown>[] = [];

  constructor(db: Statements) {
    this.#db = db;
  }

  get isEmpty(): boolean {
    return this.#statements.length === 0;
  }

  /** Appends a statement with its bound values and returns the handle of its result. */
  add<Row = unknown>(sql: string, values: readonly Value[] = []): Result<Row> {
    const result = new Result<Row>();
    this.#statements.push(this.#db.prepare(sql).bind(...values));
    this.#results.push(result);
    return result;
  }

  /**
   * As {@link add}, with the statement as a template. What is put into the text is a value, which is bound, or a condition, as
   * in {@link holds}.
   */
  sql<Row = unknown>(text: TemplateStringsArray, ...holes: readonly (Value | Condition)[]): Result<Row> {
    const parameters = new Parameters();
    return this.add(holds(text, ...holes)(parameters), parameters.values);
  }

  /** Commits all statements or none. Throws the database's error. */
  async commit(): Promise<void> {
    this.#settle(await this.#db.batch(this.#statements));
  }

  /** As {@link commit}, repeated after a transient failure: every statement must be idempotent. */
  async commitWithRetry(): Promise<void> {
    this.#settle(await batchWithRetry(this.#db, this.#statements));
  }

  #settle(results: D1Result[]): void {
    for (const [index, result] of results.entries()) this.#results[index]?.set(result);
  }
}

/**
 * Runs a D1 batch, which is one transaction, and repeats it after a transient failure. The failed attempt may have been
 * committed, so every statement must be idempotent.
 */
export async function batchWithRetry(
  db: Statements,
  statements: D1PreparedStatement[],
): Promise<D1Result<Record<string, unknown>>[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.batch<Record<string, unknown>>(statements);
    } catch (error) {
      if (attempt >= MAX_WRITE_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** The result has a row if the condition holds at this place of the batch. */
export function addCheck(batch: Batch, condition: Condition): Result<unknown> {
  return batch.sql`SELECT 1 WHERE ${condition}`;
}
