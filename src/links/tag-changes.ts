import { z } from "@hono/zod-openapi";
import { invalidField } from "../platform/http/errors.ts";
import { because } from "../platform/http/faults.ts";
import { toTagKey, toTagKeys, uniqueTags } from "../platform/lib/tag-key.ts";
import { MAX_TAGS_PER_LINK } from "../limits.ts";
import { TagName } from "./fields.ts";
import type { LinkColumns, LinkRow } from "./store/row.ts";

const tagNames = (description: string) =>
  z.array(TagName).min(1).max(MAX_TAGS_PER_LINK).transform(uniqueTags).optional().openapi({ description });

/** The fields that change the tags of several links, which each keep their other tags. */
export const tagChanges = {
  addTags: tagNames("Tags that each link gets in addition to its own."),
  removeTags: tagNames("Tags that are removed from each link."),
};

export interface TagChanges {
  addTags?: string[] | undefined;
  removeTags?: string[] | undefined;
}

type Input = TagChanges & { tags?: unknown };

/** Refuses changes of tags that contradict each other. */
export function refineTagChanges<T extends z.ZodType<Input>>(changes: T): T {
  return changes
    .refine(({ tags, addTags }) => tags === undefined || addTags === undefined, {
      path: ["tags"],
      message: because("not_together", { field: "addTags" }),
    })
    .refine(({ tags, removeTags }) => tags === undefined || removeTags === undefined, {
      path: ["tags"],
      message: because("not_together", { field: "removeTags" }),
    })
    .refine(({ addTags = [], removeTags = [] }) => !addTags.some((tag) => includesTag(removeTags, tag)), {
      path: ["removeTags"],
      message: because("also_in", { field: "addTags" }),
    });
}

function includesTag(tags: readonly string[], tag: string): boolean {
  return tags.some((other) => toTagKey(other) === toTagKey(tag));
}

export function changesTags({ addTags, removeTags }: TagChanges): boolean {
  return (addTags ?? removeTags) !== undefined;
}

/** The columns of the link after the change of its tags; or the error if they would be too many. */
export function toTagColumns(
  { tags }: Pick<LinkRow, "tags">,
  { addTags = [], removeTags = [] }: TagChanges,
): Pick<LinkColumns, "tags" | "tag_keys"> | Error {
  const removed = new Set(removeTags.map(toTagKey));
  const kept = (JSON.parse(tags ?? "[]") as string[]).filter((tag) => !removed.has(toTagKey(tag)));
  const names = uniqueTags([...kept, ...addTags]);
  if (names.length > MAX_TAGS_PER_LINK) return invalidField("addTags", "too_many_tags", { max: MAX_TAGS_PER_LINK });
  return { tags: names.length === 0 ? null : JSON.stringify(names), tag_keys: toTagKeys(names) };
}
