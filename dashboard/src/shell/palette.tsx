import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Link2 } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { ANY_SLUG_PATTERN } from "#src/platform/lib/slug.ts";
import { call } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import type { Link, Links } from "../api/types.ts";
import { toSearch } from "../features/links/view.ts";
import { usePaused } from "../lib/paused.ts";
import { withoutScheme } from "../lib/urls.ts";
import { texts } from "../texts/index.ts";
import { useChoicesFor } from "../ui/choices.ts";
import { PaletteActions, type PaletteActionsProps } from "./palette-actions.tsx";
import { PaletteGroup, PaletteItem } from "./palette-item.tsx";
import { isComposing } from "../lib/composing.ts";

const FOUND_LINKS = 6;
/** How long the person pauses before links are searched for. */
const PAUSE_MS = 200;

/** The links with exactly this slug, and then the others that match. */
async function findLinks(search: string, signal: AbortSignal): Promise<readonly Link[]> {
  const list = async (filter: { slug: string } | { search: string }) => {
    const query = { ...filter, limit: FOUND_LINKS, archived: "include" };
    return (await call<Links>("GET", "/api/links", { query, signal })).links;
  };
  const [exact, found] = await Promise.all([
    ANY_SLUG_PATTERN.test(search) ? list({ slug: search }) : [],
    list({ search }),
  ]);
  const byId = new Map([...exact, ...found].map((link) => [link.id, link]));
  return [...byId.values()].slice(0, FOUND_LINKS);
}

const linksQuery = (search: string) =>
  queryOptions({
    queryKey: ["links", "palette", search],
    queryFn: ({ signal }) => (search === "" ? [] : findLinks(search, signal)),
  });

/** Finds links, pages and actions by a few letters. */
export function Palette({ onClose, ...props }: PaletteActionsProps) {
  const navigate = useNavigate();
  const [input, setInput] = useState("");
  const search = toSearch(usePaused(input, PAUSE_MS));
  const { data, isPlaceholderData, isFetching } = useQuery({
    ...linksQuery(search),
    enabled: search !== "",
    placeholderData: (previous) => previous,
  });
  const [root, chosen, setChosen] = useChosen(input, data);
  const isCurrent = search === toSearch(input) && !isPlaceholderData;
  const isSearching = toSearch(input) !== "" && (search !== toSearch(input) || isFetching);
  const go = (target: NavigateOptions) => {
    onClose();
    void navigate(target);
  };
  const openLink = ({ id }: Link) => go({ to: "/links/$linkId", params: { linkId: id } });
  const openFirst = useChoicesFor(
    input,
    (text) => queryClient.fetchQuery(linksQuery(toSearch(text))),
    ([first]) => first !== undefined && openLink(first),
  );
  /** Enter waits for the links of the text that is typed, if nothing else fits it. */
  const waitForLinks = (event: KeyboardEvent) => {
    const isChosen = event.currentTarget.querySelector("[cmdk-item][aria-selected=true]") !== null;
    if (event.key === "Enter" && !isComposing(event.nativeEvent) && !isChosen) openFirst();
  };
  const { groups, placeholder, open, empty, searching } = texts.shell.palette;
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[10vh] z-40 mx-auto max-w-xl animate-rise overflow-hidden rounded-card bg-raised shadow-float"
        >
          <Primitive.Title className="sr-only">{open}</Primitive.Title>
          <Command ref={root} label={open} loop value={chosen} onValueChange={setChosen} onKeyDown={waitForLinks}>
            <Command.Input
              autoFocus
              value={input}
              onValueChange={setInput}
              placeholder={placeholder}
              className="h-14 w-full border-b border-line bg-transparent px-5 text-base outline-none"
            />
            <Command.List className="max-h-[60vh] overflow-y-auto p-2">
              {!isSearching && <Command.Empty className="px-3 py-8 text-center text-soft">{empty}</Command.Empty>}
              <PaletteActions onClose={onClose} {...props} />
              {data !== undefined && search !== "" && data.length > 0 && (
                <PaletteGroup heading={groups.links}>
                  {data.map((link) => (
                    <PaletteItem
                      // Those of the text before cannot be chosen. cmdk chooses the first one that is new.
                      key={`${link.id} ${isCurrent}`}
                      disabled={!isCurrent}
                      // The service has searched, so every link matches. The id comes last: before the text, its
                      // letters would change the order.
                      value={`link ${input} ${link.id}`}
                      icon={<Link2 size={18} aria-hidden />}
                      onSelect={() => openLink(link)}
                    >
                      <span dir="ltr" className="block truncate text-as-parent font-semibold">
                        {withoutScheme(link.shortUrl)}
                      </span>
                      <span dir="auto" className="block truncate text-as-parent text-sm text-soft">
                        {link.title ?? link.url}
                      </span>
                    </PaletteItem>
                  ))}
                </PaletteGroup>
              )}
            </Command.List>
            <p role="status" className={isSearching ? "px-5 pb-3 text-sm text-soft" : "sr-only"}>
              {isSearching && searching}
            </p>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const USABLE_ITEM = "[cmdk-item]:not([aria-disabled=true])";

const firstValueIn = (root: Element | null) => root?.querySelector(USABLE_ITEM)?.getAttribute("data-value") ?? "";

/**
 * The value of the chosen item: the first one of each new text, and of new links if none is chosen. cmdk itself chooses before
 * Preact has rendered which items fit.
 */
function useChosen(input: string, links: unknown) {
  const root = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState("");
  // An effect of cmdk, which runs just before, asks for the rendering. So the items are rendered in the microtask before this one.
  // oxlint-disable-next-line react/exhaustive-deps -- with each text
  useEffect(() => queueMicrotask(() => setChosen(firstValueIn(root.current))), [input]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (root.current?.querySelector(`${USABLE_ITEM}[aria-selected=true]`) == null)
        setChosen(firstValueIn(root.current));
    });
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- with each text and each answer
  }, [input, links]);
  return [root, chosen, setChosen] as const;
}
