import { Link2, Plus, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ListedLink } from "../../api/types.ts";
import { useLatest } from "../../lib/latest.ts";
import { NARROW, useMedia } from "../../lib/media.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Keys } from "../../ui/keys.tsx";
import { Card, EmptyState, Page } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { changeLinks, changeMatches, restoreLinks } from "./change-links.ts";
import type { Change } from "./changes.ts";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { ColumnHeads } from "./column-heads.tsx";
import { useDisplay } from "./display.ts";
import { FilterChips } from "./filter-chips.tsx";
import { GettingStarted, MAX_BEGINNER_LINKS } from "./getting-started.tsx";
import { HeldLinks } from "./held-links.tsx";
import { JobPanel } from "./job-panel.tsx";
import { LinkList } from "./link-list.tsx";
import { ListDialogs } from "./list-dialogs.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { useLinks } from "./queries.ts";
import { useSelection, type Selection } from "./selection.ts";
import type { BulkDialogKind } from "./bulk-dialogs.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useListSearch, usePastedUrl, useRowActions, type RowDialog } from "./use-list-page.ts";
import type { SelectionAction } from "./use-row-keys.ts";
import { hasFilters, NO_FILTERS, normalizeParams, type LinksView } from "./view.ts";
import { MAX_BULK_JOB_IDS } from "#src/links/bulk-jobs/limits.ts";

/** The links of the account. */
export function LinksPage() {
  const { can } = useSession();
  const canWrite = can("links:write");
  const { search, view, saved, change, open, close } = useListSearch();
  const display = useDisplay();
  const [rowDialog, setRowDialog] = useState<RowDialog | null>(null);
  const [bulkDialog, setBulkDialog] = useState<BulkDialogKind | null>(null);
  const query = useLinks(view, display);
  const links = query.data?.pages.flatMap((page) => page.links) ?? [];
  const count = query.data?.pages[0]?.count;
  // The rows of the view before are shown until those of this one are there.
  const selection = useSelection(links, query.isPlaceholderData ? null : JSON.stringify(view));
  const act = useRowActions(open, setRowDialog);
  const onSearch = useLatest((text: string) => change({ search: text }));
  usePastedUrl((url) => canWrite && open({ create: true, url }));
  useShortcut(
    canWrite && links.length > 0 ? "Ctrl+a" : undefined,
    { label: texts.linkList.selection.selectLoaded, group: texts.linkList.shortcuts },
    selection.selectLoaded,
  );

  const isEmpty = query.isSuccess && !query.isPlaceholderData && links.length === 0 && !query.hasNextPage;
  const isNew = !hasFilters(view) && query.isSuccess && (count?.value ?? 0) <= MAX_BEGINNER_LINKS;
  const isDeleted = view.status === "deleted";
  const create = () => open({ create: true });
  const changeSelected = (bulkChange: Change) => {
    const what = texts.linkList.amount(count?.value ?? links.length, count?.isExact);
    applyToSelection(view, selection, what, bulkChange);
  };
  const actOnSelection = (action: SelectionAction) => {
    if (action === "restore") restoreSelection(selection);
    else if (action === "delete") setBulkDialog("delete");
    else changeSelected({ kind: "archive", archived: true });
  };
  return (
    <Page
      wide
      title={texts.linkList.title}
      // The line is there before the number is, so that nothing below it moves.
      lead={
        <span role="status">{count === undefined ? "\u{a0}" : texts.linkList.count(count.value, count.isExact)}</span>
      }
      actions={canWrite && <CreateButton onClick={create} />}
    >
      {isNew && canWrite && <GettingStarted links={links} />}
      {isEmpty && !hasFilters(view) ? (
        <NoLinks onCreate={canWrite ? create : undefined} />
      ) : (
        <>
          <ListToolbar
            view={view}
            display={display}
            onChange={change}
            onSearch={onSearch}
            views={<SavedViewsMenu kind="links" normalize={normalizeParams} {...saved} />}
          />
          <FilterChips view={view} onChange={change} />
          <HeldLinks view={view} list={query} onChange={change} />
          <Card className="overflow-clip">
            {query.isPending && <ListSkeleton />}
            {query.isError && <ErrorNotice className="m-3" error={query.error} onRetry={() => void query.refetch()} />}
            {isEmpty && <NoMatch view={view} onClear={() => change(NO_FILTERS)} />}
            {/* After a change, all rows that are loaded may be gone: then the list reads the next ones. */}
            {(links.length > 0 || query.hasNextPage) && (
              <Rows
                query={query}
                links={links}
                count={count?.isExact === true ? count.value : null}
                selection={selection}
                canWrite={canWrite}
                onAction={act}
                onSelectionAction={actOnSelection}
              />
            )}
          </Card>
        </>
      )}
      {canWrite && selection.links.length > 0 && (
        <SelectionBar
          selection={selection}
          count={selection.all ? (count?.value ?? links.length) : selection.links.length}
          matches={query.hasNextPage && count !== undefined && !isDeleted ? count : null}
          {...(isDeleted && { onRestore: () => restoreSelection(selection) })}
          dialog={bulkDialog}
          onDialog={setBulkDialog}
          onChange={changeSelected}
        />
      )}
      <JobPanel hasSelection={selection.links.length > 0} />
      <ListDialogs
        search={search}
        links={links}
        canWrite={canWrite}
        row={rowDialog}
        onCloseEditor={close}
        onCloseRow={() => setRowDialog(null)}
      />
    </Page>
  );
}

/** Whether a request can name the selected links one by one. Says so if it cannot. */
function areNameable({ links }: Selection): boolean {
  const { tooMany, tooManyText } = texts.linkList.selection;
  const isPossible = links.length <= MAX_BULK_JOB_IDS;
  if (!isPossible) showToast({ kind: "problem", title: tooMany(MAX_BULK_JOB_IDS), text: tooManyText });
  return isPossible;
}

function restoreSelection(selection: Selection): void {
  if (!areNameable(selection)) return;
  void restoreLinks(selection.links);
  selection.clear();
}

function applyToSelection(view: LinksView, selection: Selection, what: string, change: Change): void {
  if (!selection.all && !areNameable(selection)) return;
  void (selection.all
    ? changeMatches(view, change, { loaded: selection.links, what })
    : changeLinks(selection.links, change));
  selection.clear();
}

function Rows({
  query,
  links,
  selection,
  canWrite,
  ...props
}: {
  query: ReturnType<typeof useLinks>;
  links: readonly ListedLink[];
  count: number | null;
  selection: Selection;
  canWrite: boolean;
  onAction: ReturnType<typeof useRowActions>;
  onSelectionAction: (action: SelectionAction) => void;
}) {
  const display = useDisplay();
  const asCards = useMedia(NARROW);
  const isAllSelected = links.length > 0 && selection.links.length === links.length;
  const loadMore = useLatest(() => void query.fetchNextPage());
  const mayLoadMore = query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
  return (
    <div
      className={query.isPlaceholderData ? "opacity-60 transition-opacity" : undefined}
      aria-busy={query.isPlaceholderData}
    >
      {!asCards && (
        <ColumnHeads
          display={display}
          checked={isAllSelected}
          ofDeleted={links[0]?.deletesAt !== undefined}
          onCheck={canWrite ? () => (isAllSelected ? selection.clear() : selection.selectLoaded()) : undefined}
        />
      )}
      <LinkList
        {...props}
        links={links}
        selection={selection}
        display={display}
        asCards={asCards}
        canWrite={canWrite}
        onNearEnd={mayLoadMore ? loadMore : undefined}
      />
      {query.isFetchingNextPage && <ListSkeleton {...(links.length > 0 && { rows: 2 })} />}
      {query.isFetchNextPageError && (
        <ErrorNotice className="m-3" error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </div>
  );
}

function CreateButton({ onClick }: { onClick: () => void }) {
  return (
    <Button kind="primary" className="max-lg:hidden" onClick={onClick}>
      <Plus size={18} aria-hidden />
      {texts.shell.createLink}
      <Keys keys="c" className="ms-1" />
    </Button>
  );
}

function NoLinks({ onCreate }: { onCreate: (() => void) | undefined }) {
  const { empty } = texts.linkList;
  const { title, text } = onCreate === undefined ? empty.readOnly : empty;
  return (
    <Card>
      <EmptyState
        icon={<Link2 aria-hidden />}
        title={title}
        action={
          onCreate !== undefined && (
            <Button kind="primary" size="large" onClick={onCreate}>
              {empty.action}
              <Keys keys="c" className="ms-1" />
            </Button>
          )
        }
        text={text}
      />
    </Card>
  );
}

function NoMatch({ view, onClear }: { view: LinksView; onClear: () => void }) {
  const { noMatch, noneDeleted, filter } = texts.linkList;
  const isDeleted = view.status === "deleted";
  const words = isDeleted ? noneDeleted : { ...noMatch, action: filter.clear };
  return (
    <EmptyState
      icon={isDeleted ? <Trash2 aria-hidden /> : <SearchX aria-hidden />}
      title={words.title}
      action={
        <Button kind="primary" onClick={onClear}>
          {words.action}
        </Button>
      }
      text={words.text}
    />
  );
}
