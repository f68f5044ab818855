import { toErrorBody } from "../../platform/http/errors.ts";
import type { Fault } from "../../platform/http/faults.ts";
import type { JobContext } from "../../jobs/kind.ts";
import { JOB_PAUSE_MS } from "../../limits.ts";
import type { InsertOutcome } from "../../links/insert-links.ts";
import { refuse, type RefusedChange } from "../../links/refusal.ts";
import { screenFields } from "../../links/screening.ts";
import type { ImportInput } from "./input.ts";
import { insertPending, type Inserted, type Pending } from "./insert-pending.ts";
import type { PlannedLink } from "./resolve-row.ts";
import { IMPORT_BATCH_LINKS, IMPORTED_LINKS_PER_SECOND, MAX_IMPORT_SLUG_ATTEMPTS } from "./limits.ts";

/** What became of a link. */
export type CreateOutcome =
  /** Other slugs of the link became those of links of the same import. */
  | { outcome: "created"; hasLostAliases: boolean }
  | ({ outcome: "skipped" | "failed" } & Reason)
  /** A quota is reached, so no further link can be created. */
  | ({ outcome: "stopped" } & Reason);

/** Why a link was not created: a sentence, and the code of its first fault. */
export interface Reason {
  reason: string;
  code: string;
}

/** Creates links of a page, as far as they can be created. Returns the outcome of each by its line. */
export async function importLinks(
  context: JobContext,
  { choices }: ImportInput,
  links: readonly PlannedLink[],
): Promise<Map<number, CreateOutcome>> {
  const outcomes = new Map<number, CreateOutcome>();
  const blocked = await screenFields(
    context,
    links.map(({ request }) => request.fields),
  );
  let pending = links.map((link, index): Pending => ({
    link,
    blocked: blocked[index] ?? [],
    attempts: 0,
    taken: link.isReserved ? 1 : 0,
    aliases: link.aliases.length,
  }));
  let size = IMPORT_BATCH_LINKS;
  let isUntrusted = false;
  while (pending.length > 0) {
    const batch = pending.slice(0, size);
    await context.slowDown(batch.length, IMPORTED_LINKS_PER_SECOND);
    const { inserted, ...found } = await insertPending(context, batch, { emitsEvents: choices.events, isUntrusted });
    const hasOtherTrust = found.isUntrusted !== isUntrusted;
    ({ isUntrusted } = found);
    const again: Pending[] = [];
    const refused: Pending[] = [];
    for (const [index, entry] of batch.entries()) {
      const outcome = inserted[index] as Inserted;
      if (outcome.outcome === null && hasOtherTrust) {
        again.push(entry);
        continue;
      }
      const result = toResult(entry, outcome, choices.taken);
      if (result === "no_room") refused.push(entry);
      else if (result === "again") again.push(next(entry, outcome));
      else outcomes.set(entry.link.line, result);
    }
    pending = [...refused, ...again, ...pending.slice(size)];
    if (refused.length === 1) return stop(outcomes, pending, inserted);
    // The links have no room together. Half of them may have.
    if (refused.length > 1) size = Math.floor(refused.length / 2);
    if (pending.length > 0) await scheduler.wait(JOB_PAUSE_MS);
  }
  return outcomes;
}

function next(entry: Pending, { outcome }: Inserted): Pending {
  const { link, attempts, taken } = entry;
  // An alias of the link may be what was taken meanwhile.
  const kept = outcome === null && attempts > 0 ? { ...link, aliases: [] } : link;
  return { ...entry, link: kept, attempts: attempts + 1, taken: isTaken(outcome) ? taken + 1 : taken };
}

function isTaken(outcome: InsertOutcome): boolean {
  return outcome?.ok === false && outcome.reason === "slug_taken";
}

function stop(
  outcomes: Map<number, CreateOutcome>,
  pending: readonly Pending[],
  inserted: readonly Inserted[],
): Map<number, CreateOutcome> {
  const exceeded = inserted.find(({ outcome }) => isOverQuota(outcome))?.outcome;
  if (exceeded?.ok !== false) throw new Error("no quota is exceeded");
  const reason = ofError(exceeded.error);
  for (const { link } of pending) outcomes.set(link.line, { outcome: "stopped", ...reason });
  return outcomes;
}

function isOverQuota(outcome: InsertOutcome): boolean {
  return outcome?.ok === false && outcome.reason === "quota_exceeded";
}

/** What becomes of a link, or that it is tried again, with another slug or with fewer other links. */
function toResult(
  { link: { slug }, attempts, aliases: countAliases }: Pending,
  { outcome, aliases }: Inserted,
  choice: "skip" | "rename",
): CreateOutcome | "again" | "no_room" {
  if (outcome?.ok === true) return { outcome: "created", hasLostAliases: aliases < countAliases };
  if (isOverQuota(outcome)) return "no_room";
  if (isTaken(outcome) && slug !== null && choice === "skip")
    return { outcome: "skipped", reason: `Skipped: the slug ${slug} is taken.`, code: "taken" };
  if (outcome !== null && !isTaken(outcome)) return { outcome: "failed", ...ofRefusal(outcome) };
  const isLast = attempts + 1 >= MAX_IMPORT_SLUG_ATTEMPTS;
  return isLast ? { outcome: "failed", ...ofError(refuse("no_free_slug").error) } : "again";
}

function ofRefusal({ reason, error }: RefusedChange): Reason {
  const isAboutFields = reason === "invalid" || reason === "destination_blocked";
  return isAboutFields ? ofFaults(toErrorBody(error).details ?? []) : ofError(error);
}

function ofFaults(faults: readonly Pick<Fault, "path" | "code" | "message">[]): Reason {
  const sentences = faults.map(({ path, message }) => `${path} ${message}`).join("; ");
  return { reason: `Not imported: ${sentences}.`, code: faults[0]?.code ?? "invalid" };
}

function ofError(refusal: Error): Reason {
  const { error, code, details } = toErrorBody(refusal);
  return { reason: `Not imported: ${error}`, code: details?.[0]?.code ?? code };
}
