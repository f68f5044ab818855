import { Batch, type Result } from "../../database/batch.ts";
import { Parameters, type Value } from "../../database/parameters.ts";
import type { Idempotency, StoredResponse } from "../store.ts";
import { IDEMPOTENCY_TTL_MS } from "../limits.ts";

/**
 * The journal of a request with an Idempotency-Key that makes several attempts, such as a bulk creation. Each attempt is
 * one transaction that writes its plan, makes the changes, and records what came of them. A request that repeats it, or
 * that arrives while it runs, does not plan anew: it reads the records, continues after them, and comes to the same
 * response. The response is stored once, in pieces, by the request that is first.
 */
export interface Journal {
  idempotency: Idempotency;
  /** A new id for each request. */
  runId: string;
}

/** A SELECT whose rows are recorded. */
interface Source {
  sql: string;
  values: readonly Value[];
  columns: readonly string[];
}

interface Piece {
  run_id: string;
  text: string;
}

/** The attempt 0 is the response. */
const RESPONSE = 0;

/** One attempt in a transaction. Add the changes with the condition {@link isOwn} after the constructor, then the records. */
export class JournaledAttempt<Plan> {
  readonly #batch: Batch;
  readonly #journal: Journal;
  readonly #attempt: number;
  readonly #now: number;
  #position = 0;
  #read: { key: Result<StoredResponse>; pieces: Result<Piece> } | null = null;

  /** `now` is the time of the first request with the key. */
  constructor(batch: Batch, journal: Journal, attempt: number, plan: Plan, now: number) {
    this.#batch = batch;
    this.#journal = journal;
    this.#attempt = attempt;
    this.#now = now;
    reserveKey(batch, journal, now);
    const { idempotency, runId } = journal;
    const { accountId, key, fingerprint } = idempotency;
    batch.add(
      `INSERT INTO idempotency_pieces (account_id, key, attempt, position, run_id, text)
       SELECT ?1, ?2, ?3, 0, ?4, ?5 WHERE EXISTS (SELECT 1 FROM idempotency_keys
         WHERE account_id = ?1 AND key = ?2 AND fingerprint = ?6 AND created_at = ?7)
       ON CONFLICT DO NOTHING`,
      [accountId, key, attempt, runId, JSON.stringify(plan), fingerprint, now],
    );
  }

  /** An SQL condition: this request makes the attempt. */
  isOwn(parameters: Parameters): string {
    const { idempotency, runId } = this.#journal;
    return `EXISTS (SELECT 1 FROM idempotency_pieces WHERE account_id = ${parameters.add(idempotency.accountId)}
      AND key = ${parameters.add(idempotency.key)} AND attempt = ${parameters.add(this.#attempt)} AND position = 0
      AND run_id = ${parameters.add(runId)})`;
  }

  /** Records the rows that `source` has at this point of the transaction. */
  record({ sql, values, columns }: Source): void {
    const parameters = new Parameters(values);
    const { idempotency, runId } = this.#journal;
    const row = [idempotency.accountId, idempotency.key, this.#attempt, ++this.#position, runId];
    const members = columns.map((column) => `'${column}', ${column}`).join(", ");
    this.#batch.add(
      `INSERT INTO idempotency_pieces (account_id, key, attempt, position, run_id, text)
       SELECT ${row.map((value) => parameters.add(value)).join(", ")},
         (SELECT json_group_array(json_object(${members})) FROM (${sql})) WHERE ${this.isOwn(parameters)}
       ON CONFLICT DO NOTHING`,
      parameters.values,
    );
  }

  /** Adds the statements that {@link result} reads. Call it last. */
  read(): void {
    const key = readKey(this.#batch, this.#journal.idempotency, 0);
    this.#read = { key, pieces: readPieces(this.#batch, this.#journal.idempotency, this.#attempt) };
  }

  /**
   * The plan and the records of the attempt after the commit, whichever request made it. `earlier` is set instead if the
   * key belongs to another request or to one that began at another time.
   */
  result(): { earlier: StoredResponse } | { earlier: null; plan: Plan; records: unknown[][] } {
    const earlier = this.#read?.key.first;
    const [plan, ...records] = (this.#read?.pieces.rows ?? []).map(({ text }) => JSON.parse(text) as unknown);
    if (earlier === undefined) throw new Error("the key was not reserved");
    const isSame = earlier.fingerprint === this.#journal.idempotency.fingerprint && earlier.created_at === this.#now;
    if (!isSame || plan === undefined) return { earlier };
    return { earlier: null, plan: plan as Plan, records: records as unknown[][] };
  }
}

/** What is stored for a key. `pieces` is empty if the response is not stored. */
export interface JournaledResponse {
  key: StoredResponse;
  /** JSON arrays. */
  pieces: string[];
  /** Whether another request stored the response. */
  isReplay: boolean;
}

/** Returns what is stored for the key, or null if it is new. */
export async function findJournaledResponse(
  db: D1Database,
  idempotency: Idempotency,
  now: number,
): Promise<JournaledResponse | null> {
  const batch = new Batch(db);
  const key = readKey(batch, idempotency, now - IDEMPOTENCY_TTL_MS);
  const pieces = readPieces(batch, idempotency, RESPONSE);
  await batch.commit();
  return key.first === undefined
    ? null
    : { key: key.first, pieces: pieces.rows.map(({ text }) => text), isReplay: true };
}

/** Stores the response, unless another request has stored it. Returns the stored one. */
export async function storeJournaledResponse(
  db: D1Database,
  journal: Journal,
  pieces: readonly string[],
  now: number,
): Promise<JournaledResponse> {
  const { idempotency, runId } = journal;
  const { accountId, key, fingerprint } = idempotency;
  const batch = new Batch(db);
  reserveKey(batch, journal, now);
  for (const [position, text] of pieces.entries()) {
    batch.add(
      `INSERT INTO idempotency_pieces (account_id, key, attempt, position, run_id, text)
       SELECT ?1, ?2, ${RESPONSE}, ?3, ?4, ?5
       WHERE EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND fingerprint = ?6)
         AND NOT EXISTS (SELECT 1 FROM idempotency_pieces
           WHERE account_id = ?1 AND key = ?2 AND attempt = ${RESPONSE} AND run_id <> ?4)
       ON CONFLICT DO NOTHING`,
      [accountId, key, position, runId, text, fingerprint],
    );
  }
  const reserved = readKey(batch, idempotency, 0);
  const stored = readPieces(batch, idempotency, RESPONSE);
  await batch.commitWithRetry();
  if (reserved.first === undefined) throw new Error("the key was not reserved");
  const isReplay = stored.rows.some(({ run_id }) => run_id !== runId);
  return { key: reserved.first, pieces: stored.rows.map(({ text }) => text), isReplay };
}

/** Takes the key, unless another request has it. A key that has expired is free. */
function reserveKey(batch: Batch, { idempotency, runId }: Journal, now: number): void {
  const { accountId, key, fingerprint } = idempotency;
  const expired = "account_id = ?1 AND key = ?2 AND created_at <= ?3";
  const values = [accountId, key, now - IDEMPOTENCY_TTL_MS];
  batch.add(
    `DELETE FROM idempotency_pieces WHERE account_id = ?1 AND key = ?2
       AND EXISTS (SELECT 1 FROM idempotency_keys WHERE ${expired})`,
    values,
  );
  batch.add(`DELETE FROM idempotency_keys WHERE ${expired}`, values);
  batch.add(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, request_id, status, response, created_at)
     VALUES (?1, ?2, ?3, ?4, 200, NULL, ?5) ON CONFLICT DO NOTHING`,
    [accountId, key, fingerprint, runId, now],
  );
}

function readKey(batch: Batch, { accountId, key }: Idempotency, after: number): Result<StoredResponse> {
  return batch.add(
    `SELECT fingerprint, status, response, created_at FROM idempotency_keys
     WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`,
    [accountId, key, after],
  );
}

function readPieces(batch: Batch, { accountId, key }: Idempotency, attempt: number): Result<Piece> {
  return batch.add(
    `SELECT run_id, text FROM idempotency_pieces WHERE account_id = ?1 AND key = ?2 AND attempt = ?3 ORDER BY position`,
    [accountId, key, attempt],
  );
}
