import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import { linkQuery } from "#dashboard/api/resources.ts";
import type { Link } from "#dashboard/api/types.ts";
import { usePaused } from "#dashboard/lib/paused.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { useChoicesFor } from "#dashboard/ui/choices.ts";
import { Field, Input } from "#dashboard/ui/field.tsx";
import { toSearch } from "../../links/view.ts";
import { MAX_WEBHOOK_FILTER_ITEMS } from "#src/webhooks/limits.ts";
import { X } from "lucide-react";
import { isComposing } from "#dashboard/lib/composing.ts";

const FOUND_LINKS = 6;
/** How long the person pauses before links are searched for. */
const PAUSE_MS = 200;

interface Props {
  value: readonly string[];
  onChange: (linkIds: string[]) => void;
  error?: string | undefined;
}

const searchQuery = (search: string) =>
  queryOptions({
    queryKey: ["links", "picker", search],
    queryFn: ({ signal }) =>
      call<{ links: Link[] }>("GET", "/api/links", {
        query: { search, limit: FOUND_LINKS, archived: "include" },
        signal,
      }),
    enabled: search !== "",
  });

/** Single links, found by a search. */
export function LinksField({ value, onChange, error }: Props) {
  const { links: label, linksHint, linksAdd } = texts.webhooks.form;
  const [input, setInput] = useState("");
  const search = toSearch(usePaused(input, PAUSE_MS));
  const { data } = useQuery(searchQuery(search));
  const names = useLinkNames(value);
  const othersIn = (links: readonly Link[]) => links.filter(({ id }) => !value.includes(id));
  const found = search === "" ? [] : othersIn(data?.links ?? []);
  const add = (link: Link) => {
    onChange([...value, link.id]);
    setInput("");
  };
  const takeFirst = useChoicesFor(
    input,
    async (typed) => othersIn((await queryClient.fetchQuery(searchQuery(toSearch(typed)))).links),
    ([first]) => first !== undefined && add(first),
  );
  const isFull = value.length >= MAX_WEBHOOK_FILTER_ITEMS;
  return (
    <div>
      <Field label={label} hint={linksHint} error={error}>
        {(control) => (
          <>
            {value.length > 0 && (
              <ul className="mb-2 flex flex-wrap gap-1.5">
                {value.map((id, index) => (
                  <Chip
                    key={id}
                    name={names[index] ?? id}
                    disabled={false}
                    onRemove={() => onChange(value.filter((each) => each !== id))}
                  />
                ))}
              </ul>
            )}
            <Input
              {...control}
              type="search"
              autoComplete="off"
              disabled={isFull}
              value={input}
              onChange={(event) => setInput(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
                event.preventDefault();
                if (toSearch(input) !== "") takeFirst();
              }}
            />
          </>
        )}
      </Field>
      {found.length > 0 && (
        <ul className="mt-2 divide-y divide-line rounded-control border border-line">
          {found.map((link) => (
            <li key={link.id}>
              <button
                type="button"
                aria-label={linksAdd(nameOf(link))}
                className="block w-full px-3 py-2 text-start hover:bg-sunken"
                onClick={() => add(link)}
              >
                <span className="block truncate font-semibold">{nameOf(link)}</span>
                <span dir="auto" className="block truncate text-as-parent text-sm text-soft">
                  {link.title ?? link.url}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const nameOf = ({ shortUrl }: Link): string => withoutScheme(shortUrl);

function useLinkNames(ids: readonly string[]): (string | undefined)[] {
  return useQueries({ queries: ids.map(linkQuery) }).map(({ data }) => data && nameOf(data));
}

/** A chosen thing, with a button that removes it. */
function Chip({ name, disabled, onRemove }: { name: string; disabled: boolean; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center gap-0.5 rounded-full bg-wash py-0.5 pe-1 ps-2.5 text-sm font-semibold text-accent-strong">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={texts.settings.tags.remove(name)}
        disabled={disabled}
        className="grid size-6 shrink-0 place-content-center rounded-full hover:bg-sunken disabled:opacity-50"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
