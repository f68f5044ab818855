import { bindingOf } from "../database-bindings.ts";
import { countOf } from "../command.ts";
import type { Installation } from "./installation.ts";
import type { Conflict, KeyCursor } from "./reconcile.ts";

export interface Reconciled {
  added: number;
  dropped: number;
  conflicts: Conflict[];
}

/**
 * Brings the directory and the databases of an installation together: entries of what no database has are deleted, and what has no
 * entry gets one. It may run while the service does, and again after an interruption. With one database there is nothing to do.
 */
export async function reconcileDirectory(installation: Installation): Promise<Reconciled> {
  const result: Reconciled = { added: 0, dropped: 0, conflicts: [] };
  if (installation.databases === 1) return result;
  for (let number = 0; number < installation.databases; number++) {
    for (let after: string | null = ""; after !== null;) {
      const page = await installation.dropEntries(number, after);
      result.dropped += page.dropped;
      after = page.next;
    }
  }
  for (let number = 0; number < installation.databases; number++) {
    let after: KeyCursor | null = null;
    do {
      const page = await installation.giveEntries(number, after);
      result.added += page.added;
      result.conflicts.push(...page.conflicts);
      after = page.next;
    } while (after !== null);
  }
  return result;
}

/** The result for the operator. */
export function describeReconciled({ added, dropped, conflicts }: Reconciled): string {
  return [
    `The directory of slugs and domains: ${added} added, ${dropped} removed, ${countOf(conflicts.length, "conflict")}.`,
    ...conflicts.map(
      ({ key, database, holder }) =>
        `  "${key}" is in ${bindingOf(holder)} and in ${bindingOf(database)}: visitors get that of ${bindingOf(holder)}.`,
    ),
  ].join("\n");
}
