import { useNavigate, useSearch } from "@tanstack/react-router";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { useAnalytics } from "./context.ts";
import { parseView, toSearch } from "./view.ts";

type Search = Record<string, unknown>;

const normalize = (search: Search): Search => toSearch(parseView(search));

/** The saved periods and filters of the account's analytics. */
export function ViewsMenu() {
  const { view } = useAnalytics();
  const { savedView }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <SavedViewsMenu
      kind="analytics"
      isShort
      params={toSearch(view)}
      normalize={normalize}
      openId={typeof savedView === "string" ? savedView : ""}
      onOpen={(params, id) =>
        void navigate({
          to: ".",
          search: ((before: Search) => ({
            ...before,
            ...normalize(params),
            savedView: id === "" ? undefined : id,
          })) as never,
          resetScroll: false,
        })
      }
    />
  );
}
