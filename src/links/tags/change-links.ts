import { toRecords, type JobContext, type JobPage } from "../../jobs/kind.ts";
import { toTagKey, toTagKeys, uniqueTags } from "../../platform/lib/tag-key.ts";
import type { LinkRow } from "../store/row.ts";
import { sequenceOf } from "../store/sequence.ts";
import { nextVersion, type ColumnChange } from "../store/write-columns.ts";
import { parseInput, type TagInput } from "./input.ts";
import { TAG_JOB_PAGE_LINKS, TAGGED_LINKS_PER_SECOND } from "./limits.ts";
import { commitPage, countChanged, findTaggedLinks, type PlannedChanges } from "./store/change-links.ts";

/** The list with one record: the changes of the page, saved before they are made. */
const PLAN = "plan";

/**
 * Changes a page of links, in the order of their creation. Then the job starts again, for links that got the tag meanwhile, until
 * none has it. The position is the last link of the page before; "" is the beginning. After a crash, the links that were
 * changed no longer have the tag, or have its new spelling: they are only counted, by the plan.
 */
export async function changeTaggedLinks(context: JobContext): Promise<JobPage> {
  const { db, records, principal, now } = context;
  const input = parseInput(context.input);
  const position = (context.position ?? "") as string;
  const [lost] = (records.readItems(PLAN, 0) ?? []) as PlannedChanges[];
  const forgotten = [{ list: PLAN, number: 0 }];
  const counted = lost === undefined ? 0 : await countChanged(db, lost);
  // If nothing of the page was stored, it is done below. A failure there is the next failure of the page.
  if (counted > 0) return { position, done: counted, forgotten };
  await context.slowDown(TAG_JOB_PAGE_LINKS, TAGGED_LINKS_PER_SECOND);
  const links = await findTaggedLinks(db, principal.accountId, position, input.tag, TAG_JOB_PAGE_LINKS);
  const changes = links.flatMap((link) => toChange(link, input, now) ?? []);
  const isEnd = links.length < TAG_JOB_PAGE_LINKS;
  // A new spelling of the same tag leaves no link without it.
  const isSameTag = input.name !== null && toTagKey(input.name) === toTagKey(input.tag);
  const isLast = isEnd && (isSameTag || (links.length === 0 && position === ""));
  const plan = {
    at: now,
    links: changes.map(({ before }) => [sequenceOf(before.id), before.updated_at]),
  } satisfies PlannedChanges;
  if (changes.length > 0 && !records.save(toRecords(PLAN, 0, [plan]))) return { position, done: 0 };
  const changed = await commitPage(context, input, changes, isLast);
  // Some were changed by others since they were read. Those of the plan are counted next, and then the page is done again.
  if (changed < changes.length) return { position, done: 0 };
  const last = links.at(-1);
  const next = isEnd || last === undefined ? "" : sequenceOf(last.id);
  return { position: isLast ? null : next, done: changes.length, forgotten };
}

/** null: the link has the new tags already. */
function toChange(before: LinkRow, input: TagInput, now: number): ColumnChange | null {
  const names = changeTags(JSON.parse(before.tags ?? "[]") as string[], input);
  const columns = { tags: names.length === 0 ? null : JSON.stringify(names), tag_keys: toTagKeys(names) };
  if (columns.tags === before.tags) return null;
  return { before, after: { ...before, ...columns, updated_at: nextVersion(before, now) }, columns };
}

function changeTags(tags: readonly string[], { tag, name }: TagInput): string[] {
  const isChanged = (present: string) => toTagKey(present) === toTagKey(tag);
  if (name === null) return tags.filter((present) => !isChanged(present));
  return uniqueTags(tags.map((present) => (isChanged(present) ? name : present)));
}
