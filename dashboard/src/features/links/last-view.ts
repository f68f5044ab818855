import { actingFor } from "../../api/client.ts";
import { parseStored, readStored, store } from "../../lib/storage.ts";

type SearchParams = Record<string, unknown>;

/** The search parameters of the list that open a dialog. All others are its view. */
const DIALOG_PARAMS = new Set(["create", "url", "edit", "duplicate"]);
const SORT = "links-sort";
/** Each account has its own view, because its tags and domains are its own. */
const nameOfView = () => `links-view:${actingFor()}`;

/** Keeps the view of the list, as JSON of its search parameters, for this tab. */
export function rememberView(view: string): void {
  store(nameOfView(), view, "tab");
}

/** Keeps the order that the person has chosen for this browser. */
export function rememberSort({ sort, order }: SearchParams): void {
  store(SORT, JSON.stringify({ sort, order }));
}

/**
 * Returns what the address of the list becomes if it has no view: with the order chosen last, and when the person comes
 * from another page with the last filters too. Null if it stays as it is.
 */
export function completeSearch(search: SearchParams, isEntering: boolean): SearchParams | null {
  if (Object.keys(search).some((name) => !DIALOG_PARAMS.has(name))) return null;
  const kept = {
    ...parseStored(readStored(SORT)),
    ...(isEntering && parseStored(readStored(nameOfView(), "tab"))),
  };
  return Object.keys(kept).length === 0 ? null : { ...kept, ...search };
}
