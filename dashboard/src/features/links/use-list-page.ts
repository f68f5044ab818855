import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Link } from "../../api/types.ts";
import { copyText } from "../../lib/clipboard.ts";
import { useLatest } from "../../lib/latest.ts";
import { startTypeAhead } from "../../lib/type-ahead.ts";
import { texts } from "../../texts/index.ts";
import { showToast } from "../../ui/toast.tsx";
import { changeLinks, restoreLinks } from "./change-links.ts";
import { rememberSort, rememberView } from "./last-view.ts";
import type { RowAction } from "./row-menu.tsx";
import { normalizeParams, parseView, toSearchParams, type LinksView } from "./view.ts";

/** The search parameters that open the editor. */
const EDITORS = ["create", "edit", "duplicate"];

/** The search parameters of the page: its view, the saved one that it began with, and the dialog that is open. */
export function useListSearch() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const view = parseView(search);
  const savedView = typeof search["savedView"] === "string" ? search["savedView"] : "";
  const withSaved = (viewParams: Record<string, unknown>, id = savedView) =>
    id === "" || Object.keys(viewParams).length === 0 ? viewParams : { ...viewParams, savedView: id };
  const viewParams = toSearchParams(view);
  const params = withSaved(viewParams);
  const viewText = JSON.stringify(params);
  useEffect(() => {
    // The list of deleted links is a visit apart.
    if (view.status !== "deleted") rememberView(viewText);
  }, [viewText, view.status]);
  const change = (changes: Partial<LinksView>) => {
    const changed = toSearchParams({ ...view, ...changes });
    if (changes.sort !== undefined) rememberSort(changed);
    void navigate({ to: "/links", search: withSaved(changed), replace: true, resetScroll: false });
  };
  const openSaved = (given: Record<string, unknown>, id: string) =>
    void navigate({ to: "/links", search: withSaved(normalizeParams(given), id), resetScroll: false });
  const left = useRef<unknown>(null);
  const close = () => {
    const { state, search: current } = router.latestLocation;
    // Going back takes a moment. The person may have gone back already, too.
    if (left.current === state || !EDITORS.some((name) => name in current)) return;
    left.current = state;
    if (state.opensDialog === true) router.history.back();
    else void navigate({ to: "/links", search: params, replace: true, resetScroll: false });
  };
  const open = (dialog: Record<string, unknown>) => {
    startTypeAhead(close);
    void navigate({
      to: "/links",
      search: { ...params, ...dialog },
      state: { opensDialog: true },
      resetScroll: false,
    });
  };
  const saved = { params: viewParams, openId: savedView, onOpen: openSaved };
  return { search, view, saved, change, open, close };
}

/** A dialog of one row. */
export interface RowDialog {
  kind: "qr" | "delete";
  link: Link;
}

/** Does what the menu and the keys of a row offer. */
export function useRowActions(open: (dialog: Record<string, unknown>) => void, ask: (dialog: RowDialog) => void) {
  const navigate = useNavigate();
  return (action: RowAction, link: Link): void => {
    switch (action) {
      case "copy":
        return void copy(link);
      case "open":
        return void navigate({ to: "/links/$linkId", params: { linkId: link.id } });
      case "qr":
        return ask({ kind: "qr", link });
      case "edit":
      case "duplicate":
        return open({ [action]: link.id });
      case "archive":
        return void changeLinks([link], { kind: "archive", archived: !link.archived });
      case "disable":
        return void changeLinks([link], { kind: "disable", disabled: !link.disabled });
      case "askToDelete":
        return ask({ kind: "delete", link });
      case "delete":
        return void changeLinks([link], { kind: "delete" });
      case "restore":
        return void restoreLinks([link]);
    }
  };
}

async function copy({ shortUrl }: Link): Promise<void> {
  if (await copyText(shortUrl)) showToast({ title: texts.linkList.row.copied(shortUrl) });
  else showToast({ kind: "problem", title: texts.ui.copyRefused });
}

/** Calls `onUrl` when a URL is pasted outside of text fields. */
export function usePastedUrl(onUrl: (url: string) => void): void {
  const openUrl = useLatest(onUrl);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target } = event;
      if (target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=dialog]"))
        return;
      const text = event.clipboardData?.getData("text").trim() ?? "";
      if (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text)) openUrl(text);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [openUrl]);
}
