/** A round trip of one isolate to the database: a statement, or the statements of a batch. */
export interface DatabaseCall {
  /** Before the database gets it, or before the Worker gets the answer. */
  moment: "before" | "after";
  /** Whether the nearest replica may answer. */
  replica: boolean;
  sql: string[];
  params: unknown[][];
  /** What the database answered; only afterwards. */
  result?: unknown;
}

/** Nothing lets the call pass; an error takes the place of the call or its answer; `changed` takes the place of the answer. */
type Verdict = { error: string } | { changed: unknown } | undefined;
export type DatabaseHook = (call: DatabaseCall) => Verdict | Promise<Verdict>;

/** How the redirect looks for a link. */
export const REDIRECT_READ = /^SELECT [^;]* FROM links WHERE domain = \?1 AND slug = \?2 /;

export const FAILURE = "D1_ERROR: disk I/O error at /inside/of/the/database: SQLITE_IOERR";
/** What of a failure must never be in an answer. */
export const INSIDE = /D1_|SQL|\/inside\/|\bat \w+ \(|connection lost/i;
const LOST = "D1_ERROR: Network connection lost.";

/** Fails before anything is done. */
export const fails: DatabaseHook = ({ moment }) => (moment === "before" ? { error: FAILURE } : undefined);

/** The write is committed and its answer lost on the way, `times` times. */
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
  /** Resolves once a call is held. */
  held: Promise<void>;
  /** Lets all of them go on. */
  release(): void;
}

/**
 * Keeps calls that match from going on at `moment` until they are released: a slow database, or a slow way
 * back from it. At most `count` of them; the others pass.
 */
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

/** A replica that lags: it answers `rows`, the state of some time ago. The primary answers as it is. */
export function lags(rows: unknown[]): DatabaseHook {
  const meta = { served_by_primary: false, rows_read: rows.length };
  return ({ moment, replica }) =>
    moment === "after" && replica ? { changed: { success: true, results: rows, meta } } : undefined;
}
