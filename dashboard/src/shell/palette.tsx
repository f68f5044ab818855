import { useQuery } from "@tanstack/react-query";
import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Link2 } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useState } from "react";
import { SLUG_PATTERN } from "../../../src/redirect/slug-pattern.ts";
import { call } from "../api/client.ts";
import type { Link, Links } from "../api/types.ts";
import { toSearch } from "../features/links/view.ts";
import { usePaused } from "../lib/paused.ts";
import { withoutScheme } from "../lib/urls.ts";
import { texts } from "../texts/index.ts";
import { PaletteActions, type PaletteActionsProps } from "./palette-actions.tsx";
import { PaletteGroup, PaletteItem } from "./palette-item.tsx";

const FOUND_LINKS = 6;
/** How long the person pauses before links are searched for. */
const PAUSE_MS = 200;

/** The links with exactly this slug, and then the others that match. */
async function findLinks(search: string, signal: AbortSignal): Promise<readonly Link[]> {
  const list = async (filter: { slug: string } | { search: string }) => {
    const query = { ...filter, limit: FOUND_LINKS, archived: "include" };
    return (await call<Links>("GET", "/api/links", { query, signal })).links;
  };
  const [exact, found] = await Promise.all([SLUG_PATTERN.test(search) ? list({ slug: search }) : [], list({ search })]);
  const byId = new Map([...exact, ...found].map((link) => [link.id, link]));
  return [...byId.values()].slice(0, FOUND_LINKS);
}

/** Finds links, pages and actions by a few letters. */
export function Palette({ onClose, ...props }: PaletteActionsProps) {
  const navigate = useNavigate();
  const [input, setInput] = useState("");
  const search = toSearch(usePaused(input, PAUSE_MS));
  const { data } = useQuery({
    queryKey: ["links", "palette", search],
    queryFn: ({ signal }) => findLinks(search, signal),
    enabled: search !== "",
    placeholderData: (previous) => previous,
  });
  const go = (target: NavigateOptions) => {
    onClose();
    void navigate(target);
  };
  const { groups, placeholder, open, empty } = texts.shell.palette;
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[10vh] z-40 mx-auto max-w-xl animate-rise overflow-hidden rounded-card bg-raised shadow-float"
        >
          <Primitive.Title className="sr-only">{open}</Primitive.Title>
          <Command label={open} loop>
            <Command.Input
              autoFocus
              value={input}
              onValueChange={setInput}
              placeholder={placeholder}
              className="h-14 w-full border-b border-line bg-transparent px-5 text-base outline-none"
            />
            <Command.List className="max-h-[60vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-8 text-center text-soft">{empty}</Command.Empty>
              <PaletteActions onClose={onClose} {...props} />
              {data !== undefined && search !== "" && data.length > 0 && (
                <PaletteGroup heading={groups.links}>
                  {data.map(({ id, shortUrl, title, url }) => (
                    <PaletteItem
                      key={id}
                      // The service has searched, so every link matches. The id comes last: before the text, its
                      // letters would change the order.
                      value={`link ${input} ${id}`}
                      icon={<Link2 size={18} aria-hidden />}
                      onSelect={() => go({ to: "/links/$linkId", params: { linkId: id } })}
                    >
                      <span className="block truncate font-semibold">{withoutScheme(shortUrl)}</span>
                      <span className="block truncate text-sm text-soft">{title ?? url}</span>
                    </PaletteItem>
                  ))}
                </PaletteGroup>
              )}
            </Command.List>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
