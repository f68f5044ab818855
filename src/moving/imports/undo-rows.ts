import type { JobContext, JobPage } from "../../jobs/kind.ts";
import { CHANGED_LINKS_PER_SECOND } from "../../limits.ts";
import { deleteLinks } from "../../links/delete.ts";
import { parseInput } from "./input.ts";
import { findRows, toFailureRow } from "./find-row.ts";
import { PLANS } from "./lists.ts";
import { readPlan } from "./run-rows.ts";
import { IMPORT_UNDO_LINKS } from "./limits.ts";

interface UndoPosition {
  /** The plan, from the last one on. */
  plan: number;
  /** Its links that are done. */
  links: number;
}

const CHANGED = "Kept when the import was undone: the link was changed after the import.";

/** Deletes links that the import created, unless they were changed since. */
export async function undoRowPage(context: JobContext): Promise<JobPage> {
  const { records, counts } = context;
  const total = counts["created"] ?? 0;
  const from = (context.position as UndoPosition | null) ?? { plan: records.endOf(PLANS) - 1, links: 0 };
  if (from.plan < 0) return { position: null, done: 0, total };
  const { version, links } = readPlan(records, from.plan);
  const page = links.slice(from.links, from.links + IMPORT_UNDO_LINKS);
  const lines = new Map(page.map(([line, id]) => [id, line]));
  const versions = new Map(page.map(([, id]) => [id, version]));
  await context.slowDown(page.length, CHANGED_LINKS_PER_SECOND);
  const { events } = parseInput(context.input).choices;
  const outcomes = await deleteLinks(context, [...lines.keys()], versions, events);
  const kept = [...outcomes].filter(([, { ok }]) => !ok).map(([id]) => lines.get(id) as number);
  const rows = findRows(records, kept);
  const end = from.links + page.length;
  const next = end < links.length ? { plan: from.plan, links: end } : { plan: from.plan - 1, links: 0 };
  return {
    position: next.plan < 0 ? null : next,
    done: outcomes.size,
    total,
    counts: { undone: outcomes.size - kept.length, notUndone: kept.length },
    failures: kept.map((line) => ({
      subject: String(line),
      reason: CHANGED,
      code: "changed_since_job",
      row: toFailureRow(rows.get(line) ?? { cells: [] }),
    })),
  };
}
