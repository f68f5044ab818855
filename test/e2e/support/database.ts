/** A round trip of an isolate to the database: one statement or a batch. */
export interface DatabaseCall {
  /** Before the database gets the call, or before the Worker gets the result. */
  moment: "before" | "after";
  /** Whether a replica may answer. */
  replica: boolean;
  sql: string[];
  params: unknown[][];
  /** Only with the moment "after". */
  result?: unknown;
}

/** Undefined lets the call pass, `error` replaces the call or its result, `changed` replaces the result. */
type Verdict = { error: string } | { changed: unknown } | undefined;
export type DatabaseHook = (call: DatabaseCall) => Verdict | Promise<Verdict>;

/** The redirect's query for a link. */
export const REDIRECT_READ = /^SELECT [^;]* FROM links WHERE domain = \?1 AND slug_key = \?3 /;

export const FAILURE = "D1_ERROR: disk I/O error at /inside/of/the/database: SQLITE_IOERR";
/** Details of a failure, which must not be in a response. */
export const INSIDE = /D1_|SQL|\/inside\/|\bat \w+ \(|connection lost/i;
const LOST = "D1_ERROR: Network connection lost.";

/** Fails before the database gets the call. */
export const fails: DatabaseHook = ({ moment }) => (moment === "before" ? { error: FAILURE } : undefined);

/** The write is committed but its result is lost, for the first `times` calls that match. */
export function losesAnswers(pattern: RegExp, times: number): DatabaseHook {
  let left = times;
  return ({ moment, sql }) => {
    if (moment === "before" || left === 0 || !pattern.test(sql.join(";"))) return undefined;
    left--;
    return { error: LOST };
  };
}

export interface Hold {
  hook: DatabaseHook;
  /** Resolves when a call is held. */
  held: Promise<void>;
  /** Lets the held calls continue. */
  release(): void;
}

/** Holds the first `count` calls that match at `moment` until they are released: a slow database or network. */
export function holds(moment: DatabaseCall["moment"], pattern: RegExp, count = Infinity): Hold {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let left = count;
  return {
    hook: async (call) => {
      if (call.moment !== moment || left === 0 || !pattern.test(call.sql.join(";"))) return undefined;
      left--;
      held.resolve();
      await released.promise;
      return undefined;
    },
    held: held.promise,
    release: () => released.resolve(),
  };
}

/** A replica that lags: it returns `rows`, an earlier state. The primary returns the current state. */
export function lags(rows: unknown[]): DatabaseHook {
  const meta = { served_by_primary: false, rows_read: rows.length };
  return ({ moment, replica }) =>
    moment === "after" && replica ? { changed: { success: true, results: rows, meta } } : undefined;
}
