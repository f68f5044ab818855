import type { VerdictReason } from "../../../redirect/verdict.ts";
import type { ListFormat } from "../list-entry.ts";

/** SQL for what operators have set, in the database. */

interface OwnEntry {
  verdict: "allow" | "block";
  /** null: of an entry that allows. */
  reason: VerdictReason | null;
}

interface ListFile {
  id: string;
  url: string;
  format: ListFormat;
  reason: VerdictReason;
}

export interface Settings {
  /** By the text that is compared (list-entry.ts). */
  own: ReadonlyMap<string, OwnEntry>;
  lists: readonly ListFile[];
}

interface RuleRow extends OwnEntry {
  id: string;
  kind: "entry" | ListFormat;
  value: string;
  entry: string;
}

export async function readSettings(db: D1Database): Promise<Settings> {
  const { results } = await db
    .prepare("SELECT id, kind, value, entry, verdict, reason FROM screening_rules ORDER BY id")
    .all<RuleRow>();
  const own = new Map<string, OwnEntry>();
  const lists: ListFile[] = [];
  for (const { id, kind, value, entry, verdict, reason } of results) {
    if (kind === "entry") own.set(entry, { verdict, reason });
    else lists.push({ id, url: value, format: kind, reason: reason ?? "policy" });
  }
  return { own, lists };
}
