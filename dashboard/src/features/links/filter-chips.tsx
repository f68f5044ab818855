import { X } from "lucide-react";
import type { TagColor } from "#src/links/tags/colors.ts";
import { useTagColor } from "../../api/tag-colors.ts";
import { formatDay } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { TagDot } from "../../ui/tag-dot.tsx";
import { nameOfCreator, useCreatorChoices, useCreators } from "./creators.ts";
import { nameOfStatus } from "./status-names.ts";
import { isLeftOut, NO_FILTERS, withoutMark, type LinksView } from "./view.ts";

type Changes = Partial<LinksView>;

/** The filters that apply, each with a button that removes it. */
export function FilterChips({ view, onChange }: { view: LinksView; onChange: (changes: Changes) => void }) {
  const creators = useCreators();
  useCreatorChoices(view.createdBy.length > 0);
  const nameOf = (id: string) => nameOfCreator(creators, id);
  const chips = chipsOf(view, useTagColor(view.tags.length > 0), nameOf);
  const { filter } = texts.linkList;
  if (chips.length === 0) return null;
  return (
    <ul aria-label={filter.label} className="mb-3 flex flex-wrap items-center gap-1.5">
      {chips.map(({ id, label, color, without }) => (
        <li
          key={id ?? label}
          className="inline-flex max-w-full items-center rounded-full bg-wash ps-3 text-sm font-semibold text-accent-strong"
        >
          <span className="flex min-w-0 items-center gap-1.5">
            <TagDot color={color} />
            <span className="truncate">{label}</span>
          </span>
          <button
            type="button"
            aria-label={filter.remove(label)}
            className="grid size-8 shrink-0 place-content-center rounded-full hover:bg-sunken"
            onClick={() => onChange(without)}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <Button kind="quiet" size="small" onClick={() => onChange(NO_FILTERS)}>
          {filter.clear}
        </Button>
      </li>
    </ul>
  );
}

const formatDate = (day: string): string => formatDay(new Date(`${day}T12:00`).getTime());

interface Chip {
  /** If the label is not the only one of its kind. */
  id?: string;
  label: string;
  color?: TagColor | null;
  without: Changes;
}

function chipsOf(
  view: LinksView,
  colorOf: (tag: string) => TagColor | null,
  nameOf: (creator: string) => string,
): Chip[] {
  const { filter } = texts.linkList;
  return [
    ...(view.search === "" ? [] : [{ label: filter.searched(view.search), without: { search: "" } }]),
    ...view.tags.map((tag) => ({
      label: isLeftOut(tag) ? filter.notTagged(withoutMark(tag)) : filter.tagged(tag),
      color: colorOf(withoutMark(tag)),
      without: { tags: view.tags.filter((other) => other !== tag) },
    })),
    ...view.domains.map((domain) => ({
      label: filter.atDomain(domain),
      without: { domains: view.domains.filter((other) => other !== domain) },
    })),
    ...view.createdBy.map((creator) => ({
      id: creator,
      label: (isLeftOut(creator) ? filter.notCreatedBy : filter.createdBy)(nameOf(withoutMark(creator))),
      without: { createdBy: view.createdBy.filter((other) => other !== creator) },
    })),
    ...(view.status === ""
      ? []
      : [{ label: filter.withStatus(nameOfStatus(view.status)), without: { status: "" as const } }]),
    ...(view.destination === "" ? [] : [{ label: filter.broken, without: { destination: "" as const } }]),
    ...view.verdicts.map((verdict) => ({
      label: texts.heldLinks[verdict],
      without: { verdicts: view.verdicts.filter((other) => other !== verdict) },
    })),
    ...(view.archived === "exclude"
      ? []
      : [{ label: filter.withArchived[view.archived], without: { archived: "exclude" as const } }]),
    ...(view.from === "" ? [] : [{ label: filter.createdFrom(formatDate(view.from)), without: { from: "" } }]),
    ...(view.to === "" ? [] : [{ label: filter.createdTo(formatDate(view.to)), without: { to: "" } }]),
  ];
}
