import { useNavigate, useSearch } from "@tanstack/react-router";
import { parseView, toSearch, type View } from "./view.ts";

type Search = Record<string, unknown>;

/** The view in the address of the page, and what changes it. Other parameters of the page stay. */
export function useView(): [View, (view: View) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (view: View) =>
    void navigate({
      to: ".",
      search: ((before: Search) => ({ ...before, ...toSearch(view) })) as never,
      resetScroll: false,
    });
  return [parseView(search), show];
}
