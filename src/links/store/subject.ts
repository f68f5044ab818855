import type { Parameters } from "../../platform/database/parameters.ts";
import { toTagKey } from "../../platform/lib/tag-key.ts";
import { sequenceOf } from "./sequence.ts";

/** What a note or a shared page is about: a link or a tag. Neither: all clicks of the account. */
interface Subject {
  linkId?: string | undefined;
  tag?: string | undefined;
}

/** SQL for the columns `link_seq`, `link_id`, `tag` and `tag_key`, and for where they come from, up to a further condition. */
export function selectSubject(accountId: number, { linkId, tag }: Subject, parameters: Parameters): string {
  if (tag !== undefined)
    return `NULL, NULL, name, key FROM tags WHERE account_id = ${parameters.add(accountId)} AND key = ${parameters.add(toTagKey(tag))}`;
  if (linkId === undefined) return "NULL, NULL, NULL, NULL WHERE true";
  return `seq, id, NULL, NULL FROM links NOT INDEXED WHERE seq = CAST(${parameters.add(sequenceOf(linkId))} AS INTEGER)
    AND id = ${parameters.add(linkId)} AND account_id = ${parameters.add(accountId)}`;
}
