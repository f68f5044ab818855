import type { ServiceContext } from "../context.ts";
import type { Job } from "../jobs/contract.ts";
import type { JobRow } from "../jobs/store.ts";
import { toTagKey, uniqueTags } from "../lib/tag-key.ts";
import { commitPortion, findTaggedLinks, type TagChange } from "./store/change-links.ts";
import { JOB_PORTION_LINKS } from "./limits.ts";

/**
 * A portion of the jobs `tag.rename` and `tag.delete`. Links are changed in the order of creation. Then the job starts again,
 * for links that got the tag meanwhile, until none has it.
 */
export async function changeTaggedLinks(context: ServiceContext, job: JobRow): Promise<void> {
  const input = JSON.parse(job.input) as Job["input"];
  const links = await findTaggedLinks(context.env.DB, job, input.tag, JOB_PORTION_LINKS);
  const changes = links.flatMap(({ seq, tags }): TagChange[] => {
    const before = JSON.parse(tags) as string[];
    const after = changeTags(before, input);
    return JSON.stringify(after) === tags ? [] : [{ seq, before: tags, after }];
  });
  const isEnd = links.length < JOB_PORTION_LINKS;
  // A new spelling of the same tag leaves no link without it.
  const isSameTag = input.name !== null && toTagKey(input.name) === toTagKey(input.tag);
  const isCompleted = isEnd && (isSameTag || (links.length === 0 && job.position === ""));
  const position = isEnd ? "" : (links.at(-1)?.seq ?? "");
  await commitPortion(context, job, input, changes, { done: changes.length, position, isCompleted });
}

function changeTags(tags: readonly string[], { tag, name }: Job["input"]): string[] {
  const isChanged = (present: string) => toTagKey(present) === toTagKey(tag);
  if (name === null) return tags.filter((present) => !isChanged(present));
  return uniqueTags(tags.map((present) => (isChanged(present) ? name : present)));
}
