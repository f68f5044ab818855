import type { AccountContext } from "../../platform/context.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../../limits.ts";
import { refuse } from "../refusal.ts";
import { findWithDeleted } from "../store/deleted-links.ts";
import type { Entry, FoundLink, Operation, PreparedEntry, Result } from "./operations.ts";

interface ChangeOptions {
  /** What an earlier run of this page has saved. */
  saved: readonly Entry[];
  /** Stores what is about to be done. Returns false if nothing may be done any more. */
  save: (entries: readonly Entry[]) => boolean;
  /** Decides on a link that the operation has not changed yet. `skip`: it is left out. */
  admit?: (id: string, found: FoundLink) => "change" | "skip" | Error;
}

type Outcome = Exclude<Result, "stale"> | "skipped";

/**
 * Makes one change to each link, once: what is about to be done is saved first, and each change is bound to the version of
 * the link. So a repetition after a crash finds the links that were changed, and changes the others.
 */
export async function changeLinks(
  context: AccountContext,
  operation: Operation,
  ids: readonly string[],
  { saved, save, admit = () => "change" }: ChangeOptions,
): Promise<{ outcomes: Map<string, Outcome>; entries: Entry[] }> {
  const outcomes = new Map<string, Outcome>();
  const entries = new Map(saved.map((entry) => [entry.id, entry]));
  for (const id of ids) if (!isId(id)) outcomes.set(id, refuse("not_found").error);
  let pending = ids.filter(isId);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS && pending.length > 0; attempt++) {
    const now = Date.now();
    const found = await findLinks(context.db, pending);
    const prepared: PreparedEntry[] = [];
    for (const id of pending) {
      const link = found.get(id) ?? GONE;
      const step = prepare(operation, id, link, entries.get(id), now, admit);
      if (typeof step === "object" && "version" in step) {
        const { found: _, ...entry } = step;
        entries.set(id, entry);
        prepared.push(step);
      } else outcomes.set(id, step);
    }
    if (prepared.length > 0) {
      if (!save([...entries.values()])) return { outcomes, entries: [] };
      const results = await operation.apply({ ...context, now }, prepared);
      for (const [id, result] of results) if (result !== "stale") outcomes.set(id, result);
    }
    pending = pending.filter((id) => !outcomes.has(id));
  }
  for (const id of pending) outcomes.set(id, refuse("changed_concurrently").error);
  return { outcomes, entries: [...entries.values()].filter(({ id }) => outcomes.get(id) === "changed") };
}

const GONE: FoundLink = { present: undefined, deleted: undefined };

function prepare(
  operation: Operation,
  id: string,
  found: FoundLink,
  entry: Entry | undefined,
  now: number,
  admit: NonNullable<ChangeOptions["admit"]>,
): PreparedEntry | Outcome {
  if (entry !== undefined && operation.isDone(entry, found)) return "changed";
  const admitted = admit(id, found);
  if (admitted !== "change") return admitted === "skip" ? "skipped" : admitted;
  const next = operation.prepare(id, found, now);
  if (next === "unchanged" || next instanceof Error) return next;
  // An attempt at the same version may still be on its way to the database.
  const isSame = entry?.version === next.version && entry.deletedAt === next.deletedAt;
  return { id, ...next, at: isSame ? [...entry.at, now] : [now], found };
}

async function findLinks(db: D1Database, ids: readonly string[]): Promise<Map<string, FoundLink>> {
  const { present, deleted } = await findWithDeleted(db, ids);
  const [links, removed] = [new Map(present.map((row) => [row.id, row])), new Map(deleted.map((row) => [row.id, row]))];
  return new Map(ids.map((id) => [id, { present: links.get(id), deleted: removed.get(id) }]));
}
