import { useQuery } from "@tanstack/react-query";
import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { Command } from "cmdk";
import { BookOpen, Keyboard, Link2, Plus } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useDeferredValue, useState, type ReactNode } from "react";
import { call } from "../api/client.ts";
import type { Link } from "../api/types.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { PAGES } from "./navigation.tsx";

/** The shortest text that the list of links can be searched for. */
const MIN_SEARCH_CHARS = 3;
const FOUND_LINKS = 6;

/** Finds links, pages and actions by a few letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  const navigate = useNavigate();
  const [input, setInput] = useState("");
  const search = useDeferredValue(input.trim());
  const { data } = useQuery({
    queryKey: ["links", "palette", search],
    queryFn: ({ signal }) =>
      call<{ links: Link[] }>("GET", "/api/links", {
        query: { search, limit: FOUND_LINKS, archived: "include" },
        signal,
      }),
    enabled: search.length >= MIN_SEARCH_CHARS,
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
              <Group heading={groups.actions}>
                {can("links:write") && (
                  <Item
                    icon={<Plus size={18} aria-hidden />}
                    onSelect={() => go({ to: "/links", search: { create: true } })}
                  >
                    {texts.shell.createLink}
                  </Item>
                )}
                <Item icon={<BookOpen size={18} aria-hidden />} onSelect={() => location.assign("/docs")}>
                  {texts.shell.apiReference}
                </Item>
                <Item
                  icon={<Keyboard size={18} aria-hidden />}
                  onSelect={() => {
                    onClose();
                    dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
                  }}
                >
                  {texts.shell.shortcuts}
                </Item>
              </Group>
              <Group heading={groups.pages}>
                {PAGES.map(({ to, label, icon }) => (
                  <Item key={to} icon={icon} onSelect={() => go({ to })}>
                    {label}
                  </Item>
                ))}
              </Group>
              {data !== undefined && search.length >= MIN_SEARCH_CHARS && data.links.length > 0 && (
                <Group heading={groups.links}>
                  {data.links.map(({ id, shortUrl, title, url }) => (
                    <Item
                      key={id}
                      // The service has searched, so every link matches.
                      value={`${id} ${input}`}
                      icon={<Link2 size={18} aria-hidden />}
                      onSelect={() => go({ to: "/links/$linkId", params: { linkId: id } })}
                    >
                      <span className="block truncate font-semibold">{shortUrl.replace(/^https?:\/\//, "")}</span>
                      <span className="block truncate text-sm text-soft">{title ?? url}</span>
                    </Item>
                  ))}
                </Group>
              )}
            </Command.List>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft"
    >
      {children}
    </Command.Group>
  );
}

function Item({
  icon,
  value,
  onSelect,
  children,
}: {
  icon: ReactNode;
  value?: string;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      {...(value !== undefined && { value })}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-3 rounded-control px-3 py-2.5 data-[selected=true]:bg-wash"
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
    </Command.Item>
  );
}
