import { useQuery } from "@tanstack/react-query";
import { Bookmark, BookmarkPlus, Pencil, Save, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { SavedView } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";
import { explainError } from "../../ui/notice.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import {
  createView,
  deleteView,
  parseQueryText,
  toQueryText,
  updateView,
  viewsQuery,
  type SearchParams,
} from "./queries.ts";

const ViewDialog = lazyPart(() => import("./view-dialog.tsx").then(({ ViewDialog }) => ViewDialog));

const words = texts.savedViews;

export interface SavedViewsProps {
  kind: SavedView["kind"];
  /** The search parameters of what the page shows, without those at their defaults. */
  params: SearchParams;
  /** Reads the same of any search parameters. */
  normalize: (search: SearchParams) => SearchParams;
  /** The id of the view that was opened, as the address has it. */
  openId: string;
  /** Shows a view, or what the page shows by default. */
  onOpen: (params: SearchParams, id: string) => void;
  /** The button is as high as others, and on phones only an icon while no view is open. */
  isShort?: boolean;
}

/** A menu of the views that the person or the team has saved, with the name of the one that is open. */
export function SavedViews({ kind, params, normalize, openId, onOpen, isShort = false }: SavedViewsProps) {
  const { account, can } = useSession();
  const [edited, setEdited] = useState<SavedView | "new" | null>(null);
  const { data: views } = useQuery({ ...viewsQuery(kind), enabled: openId !== "" });
  const open = views?.find(({ id }) => id === openId);
  const query = toQueryText(params);
  const queryOf = (view: SavedView) => toQueryText(normalize(parseQueryText(view.query)));
  const isChanged = open !== undefined && queryOf(open) !== query;
  const mayChange = open !== undefined && (!open.shared || can("links:write"));
  const mayShare = account.kind === "team" && can("links:write");
  const choose = (view: SavedView) =>
    view === open && !isChanged ? onOpen({}, "") : onOpen(parseQueryText(view.query), view.id);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button
            className={cx("max-w-full min-w-0 shrink! px-3!", !isShort && "h-9 max-sm:px-2!")}
            aria-label={open === undefined ? words.label : words.open(open.name, isChanged)}
          >
            <Bookmark size={16} aria-hidden className="shrink-0" />
            <span className={cx("flex min-w-0", isShort && open === undefined && "max-sm:sr-only")}>
              <span className="truncate">{open?.name ?? words.label}</span>
              {isChanged && <span className="font-normal whitespace-pre text-soft">{words.changed}</span>}
            </span>
          </Button>
        }
      >
        <ViewChoices kind={kind} isOpen={(view) => view.id === openId && !isChanged} onChoose={choose} />
        <MenuSeparator />
        {mayChange && isChanged && query !== "" && (
          <MenuItem
            icon={<Save size={16} aria-hidden />}
            onSelect={() => void replaceQuery(open, query).catch(showProblem)}
          >
            {words.update(open.name)}
          </MenuItem>
        )}
        <MenuItem
          icon={<BookmarkPlus size={16} aria-hidden />}
          disabled={query === "" || (open !== undefined && !isChanged)}
          onSelect={() => setEdited("new")}
        >
          {words.saveAs}
        </MenuItem>
        {mayChange && (
          <>
            <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setEdited(open)}>
              {mayShare ? words.edit(open.name) : words.rename(open.name)}
            </MenuItem>
            <MenuItem
              icon={<Trash2 size={16} aria-hidden />}
              danger
              onSelect={() => void removeView(open).catch(showProblem)}
            >
              {words.remove(open.name)}
            </MenuItem>
          </>
        )}
      </Menu>
      <LazyDialogs onFail={() => setEdited(null)}>
        {edited !== null && (
          <ViewDialog
            view={edited === "new" ? { kind, query } : edited}
            mayShare={mayShare}
            onSaved={({ id }) => edited === "new" && onOpen(params, id)}
            onClose={() => setEdited(null)}
          />
        )}
      </LazyDialogs>
    </>
  );
}

interface ViewChoicesProps {
  kind: SavedView["kind"];
  isOpen: (view: SavedView) => boolean;
  onChoose: (view: SavedView) => void;
}

/** The person's own views by their names, and then those that are shared. */
function ViewChoices({ kind, isOpen, onChoose }: ViewChoicesProps): ReactNode {
  const { data: views, error } = useQuery(viewsQuery(kind));
  if (views === undefined) return <MenuLabel>{error === null ? words.loading : explainError(error)}</MenuLabel>;
  if (views.length === 0) return <MenuLabel>{words.none}</MenuLabel>;
  const byName = views.toSorted((a, b) => a.name.localeCompare(b.name));
  return [false, true].map((shared) => {
    const group = byName.filter((view) => view.shared === shared);
    if (group.length === 0) return null;
    return (
      <div key={String(shared)} role="group" aria-label={shared ? words.shared : words.own}>
        <MenuLabel>{shared ? words.shared : words.own}</MenuLabel>
        {group.map((view) => (
          <MenuChoice key={view.id} checked={isOpen(view)} onSelect={() => onChoose(view)}>
            {view.name}
          </MenuChoice>
        ))}
      </div>
    );
  });
}

async function replaceQuery({ id, name, query: before }: SavedView, query: string): Promise<void> {
  await updateView(id, { query });
  showChange(words.saved(name), () => updateView(id, { query: before }));
}

async function removeView({ id, kind, name, query, shared }: SavedView): Promise<void> {
  await deleteView(id);
  showChange(words.removed(name), () => createView({ kind, name, query, shared }));
}
