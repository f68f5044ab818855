import { texts } from "../../texts/index.ts";
import { SHOWN_STATUSES, withoutMark, type LinksView } from "./view.ts";

/** What people call a choice of the filter by status. */
export function nameOfStatus(choice: LinksView["status"]): string {
  const { filter, status } = texts.linkList;
  const named = SHOWN_STATUSES.find((each) => each === withoutMark(choice));
  if (named === undefined) return filter.anyStatus;
  return named === choice ? status[named] : filter.not(status[named]);
}
