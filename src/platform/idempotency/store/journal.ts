import { Batch, type Result } from "../../database/batch.ts";
import type { Condition, Parameters } from "../../database/parameters.ts";
import { readResponse, type Idempotency, type StoredResponse } from "./responses.ts";
import { IDEMPOTENCY_TTL_MS } from "../limits.ts";

/**
 * The journal of a request with an Idempotency-Key that makes several attempts, such as a bulk creation. Each attempt is
 * one transaction that makes the changes and records what came of them. A request that repeats it, or that arrives while
 * it runs, reads the records of the attempts that were made, continues after them, and comes to the same response. The
 * response is stored once, in pieces, by the request that is first.
 */
export interface Journal {
  idempotency: Idempotency;
  /** A new id for each request. */
  runId: string;
}

interface Piece {
  run_id: string;
  text: string;
}

/** The attempt 0 is the response. */
const RESPONSE = 0;

const INSERT_PIECE = "INSERT INTO idempotency_pieces (account_id, key, attempt, position, run_id, text)";

/** An attempt in the transaction of its changes. Call {@link record} after the changes. */
export class JournaledAttempt {
  readonly #batch: Batch;
  readonly #journal: Journal;
  readonly #attempt: number;
  readonly #now: number;
  #stored: { key: Result<StoredResponse>; pieces: Result<Piece> } | null = null;

  /** `now` is the time of the first request with the key. */
  constructor(batch: Batch, journal: Journal, attempt: number, now: number) {
    this.#batch = batch;
    this.#journal = journal;
    this.#attempt = attempt;
    this.#now = now;
    reserveKey(batch, journal, now);
  }

  /** The condition of the changes: no request has made this attempt, and the key is that of this request. */
  readonly isNew: Condition = (parameters) => {
    const { accountId, key, fingerprint } = this.#journal.idempotency;
    const ofKey = `account_id = ${parameters.add(accountId)} AND key = ${parameters.add(key)}`;
    return `EXISTS (SELECT 1 FROM idempotency_keys WHERE ${ofKey}
        AND fingerprint = ${parameters.add(fingerprint)} AND created_at = ${parameters.add(this.#now)})
      AND NOT EXISTS (SELECT 1 FROM idempotency_pieces WHERE ${ofKey} AND attempt = ${parameters.add(this.#attempt)})`;
  };

  /** Records the text that `select` gives at this point of the transaction. */
  record(select: string, parameters: Parameters): void {
    const { idempotency, runId } = this.#journal;
    const { accountId, key } = idempotency;
    const row = [accountId, key, this.#attempt, 0, runId].map((value) => parameters.add(value)).join(", ");
    this.#batch.add(`${INSERT_PIECE} SELECT ${row}, (${select}) WHERE ${this.isNew(parameters)}`, parameters.values);
    this.#stored = {
      key: readResponse(this.#batch, idempotency, 0),
      pieces: readPieces(this.#batch, idempotency, this.#attempt),
    };
  }

  /**
   * The record of the attempt after the commit, whichever request made it. `earlier` is set instead if the key belongs to
   * another request or to one that began at another time.
   */
  result(): { earlier: StoredResponse; record: null } | { earlier: null; record: string } {
    const earlier = this.#stored?.key.first;
    if (earlier === undefined) throw new Error("the key was not reserved");
    const isSame = earlier.fingerprint === this.#journal.idempotency.fingerprint && earlier.created_at === this.#now;
    const record = this.#stored?.pieces.first?.text;
    return isSame && record !== undefined ? { earlier: null, record } : { earlier, record: null };
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
  const key = readResponse(batch, idempotency, now - IDEMPOTENCY_TTL_MS);
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
      `${INSERT_PIECE} SELECT ?1, ?2, ${RESPONSE}, ?3, ?4, ?5
       WHERE EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND fingerprint = ?6)
         AND NOT EXISTS (SELECT 1 FROM idempotency_pieces
           WHERE account_id = ?1 AND key = ?2 AND attempt = ${RESPONSE} AND run_id <> ?4)
       ON CONFLICT DO NOTHING`,
      [accountId, key, position, runId, text, fingerprint],
    );
  }
  const reserved = readResponse(batch, idempotency, 0);
  const stored = readPieces(batch, idempotency, RESPONSE);
  await batch.commitWithRetry();
  if (reserved.first === undefined) throw new Error("the key was not reserved");
  const isReplay = stored.rows.some(({ run_id }) => run_id !== runId);
  return { key: reserved.first, pieces: stored.rows.map(({ text }) => text), isReplay };
}

/** Takes the key, unless another request has it. A key that has expired is free. */
function reserveKey(batch: Batch, { idempotency, runId }: Journal, now: number): void {
  const { accountId, key, fingerprint } = idempotency;
  const expired = [accountId, key, now - IDEMPOTENCY_TTL_MS];
  batch.add(
    `DELETE FROM idempotency_pieces WHERE account_id = ?1 AND key = ?2
       AND EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at <= ?3)`,
    expired,
  );
  batch.add("DELETE FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at <= ?3", expired);
  batch.add(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, request_id, status, response, created_at)
     VALUES (?1, ?2, ?3, ?4, 200, NULL, ?5) ON CONFLICT DO NOTHING`,
    [accountId, key, fingerprint, runId, now],
  );
}

function readPieces(batch: Batch, { accountId, key }: Idempotency, attempt: number): Result<Piece> {
  return batch.add(
    "SELECT run_id, text FROM idempotency_pieces WHERE account_id = ?1 AND key = ?2 AND attempt = ?3 ORDER BY position",
    [accountId, key, attempt],
  );
}
