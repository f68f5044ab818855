import { Link as RouterLink } from "@tanstack/react-router";
import { memo, type CSSProperties, type KeyboardEvent } from "react";
import type { Link, ListedLink } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { formatCompact, formatCount, formatMoment, formatRelative } from "../../lib/format.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { COLUMN_WIDTHS, RESTORE_WIDTH } from "./column-heads.tsx";
import { nameOfCreator, useCreators } from "./creators.ts";
import type { Column, Display } from "./display.ts";
import { Destination, HostIcon, LinkBadges, LinkTags, ShortName } from "./link-parts.tsx";
import { RowMenu, type RowAction } from "./row-menu.tsx";

export interface LinkRowProps {
  link: ListedLink;
  index: number;
  /** The number of all links in the list; -1 if it is unknown. */
  setSize: number;
  /** Where the row is in the list, CSS px. */
  top: number;
  measure: (element: HTMLLIElement | null) => void;
  selected: boolean;
  /** Whether the Tab key reaches this row and its buttons. Arrows reach the others. */
  reachable: boolean;
  display: Display;
  /** Phones show a card. */
  asCard: boolean;
  canWrite: boolean;
  onSelect: (id: string, range: boolean) => void;
  onAction: (action: RowAction, link: Link) => void;
  onKey: (event: KeyboardEvent<HTMLElement>, link: Link) => void;
}

/** One link of the list. Rendered again only if its properties change: scrolling renders the list for each frame. */
export const LinkRow = memo(function LinkRow(props: LinkRowProps) {
  const { link, index, setSize, top, measure, selected, display, asCard } = props;
  const style: CSSProperties = { transform: `translateY(${top}px)` };
  return (
    <li
      ref={measure}
      data-index={index}
      data-link={link.id}
      aria-posinset={index + 1}
      aria-setsize={setSize}
      style={style}
      className={cx(
        "group absolute inset-x-0 top-0 flex gap-3 border-line pe-2 ps-4",
        // The card that has the list ends with a line of its own.
        index + 1 !== setSize && "border-b",
        "has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent",
        selected ? "bg-wash" : "hover:bg-sunken/50",
        asCard ? "items-start py-3" : "items-center",
        !asCard && (display.density === "compact" ? "py-0.5" : "py-2"),
      )}
    >
      {asCard ? <CardContent {...props} /> : <RowContent {...props} />}
    </li>
  );
});

/** The Tab key goes through the controls of one row only. */
const tabIndexOf = ({ reachable }: LinkRowProps): 0 | -1 => (reachable ? 0 : -1);

function RowContent(props: LinkRowProps) {
  const { link, display } = props;
  const isCompact = display.density === "compact";
  return (
    <>
      <SelectBox {...props} />
      {!isCompact && <HostIcon link={link} className="size-9" />}
      <div className={cx("min-w-0 flex-1", isCompact && "flex items-center gap-3")}>
        <Heading {...props} badges={isCompact ? "icons" : "words"} />
        <Destination link={link} />
      </div>
      {display.columns.map((column) => (
        <Cell key={column} column={column} link={link} />
      ))}
      <RowControl {...props} />
    </>
  );
}

function CardContent(props: LinkRowProps) {
  const { link } = props;
  return (
    <>
      <SelectBox {...props} />
      <div className="min-w-0 flex-1">
        <Heading {...props} />
        <Destination link={link} />
        <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          <span className="tabular">{texts.linkList.clicks(link.clicks)}</span>
          {link.importedClicks > 0 && (
            <span className="tabular">{texts.linkList.importedClicks(link.importedClicks)}</span>
          )}
          <Age at={link.createdAt} />
          <LinkBadges link={link} />
          <LinkTags tags={link.tags} max={2} />
        </div>
        {link.deletesAt !== undefined && <RestoreButton {...props} className="mt-2" />}
      </div>
      {link.deletesAt === undefined && <RowControl {...props} />}
    </>
  );
}

/** The menu of a link; for a deleted one, what restores it. */
function RowControl(props: LinkRowProps) {
  if (props.link.deletesAt !== undefined) return <RestoreButton {...props} className={RESTORE_WIDTH} />;
  return (
    <div className="relative z-1 -my-1">
      <RowMenu {...props} tabIndex={tabIndexOf(props)} />
    </div>
  );
}

function RestoreButton({ className, ...props }: LinkRowProps & { className: string }) {
  const { link, canWrite, onAction, onKey } = props;
  const { row } = texts.linkList;
  return (
    <div className={className}>
      {canWrite && (
        <Button
          size="small"
          data-main=""
          aria-label={row.restoreOf(withoutScheme(link.shortUrl))}
          tabIndex={tabIndexOf(props)}
          onKeyDown={(event) => onKey(event, link)}
          onClick={() => onAction("restore", link)}
        >
          {row.restore}
        </Button>
      )}
    </div>
  );
}

function Heading({ badges, ...props }: LinkRowProps & { badges?: "icons" | "words" }) {
  const { link } = props;
  return (
    <div className={cx("@container flex min-w-0 items-center gap-1.5", badges === "icons" && "w-2/5 shrink-0")}>
      {link.deletesAt === undefined ? (
        <LinkName {...props} isCompact={badges === "icons"} />
      ) : (
        <span className="min-w-0 font-semibold">
          <ShortName link={link} isCompact={badges === "icons"} />
        </span>
      )}
      {badges !== undefined && (
        // Where there is little room, several badges are icons: people look for the slug.
        <span className="flex shrink-0 gap-1 @max-[26rem]:[&>:not(:only-child)_[data-label]]:sr-only">
          <LinkBadges link={link} asIcons={badges === "icons"} />
        </span>
      )}
    </div>
  );
}

function LinkName({ isCompact, ...props }: LinkRowProps & { isCompact: boolean }) {
  const { link, onKey } = props;
  const tabIndex = tabIndexOf(props);
  return (
    <>
      <RouterLink
        to="/links/$linkId"
        params={{ linkId: link.id }}
        preload={false}
        data-main=""
        tabIndex={tabIndex}
        onKeyDown={(event) => onKey(event, link)}
        // The whole row is its target.
        className="min-w-0 font-semibold outline-none after:absolute after:inset-0"
      >
        <ShortName link={link} isCompact={isCompact} />
      </RouterLink>
      <span className="relative z-1 -my-1">
        <CopyButton text={link.shortUrl} label={texts.linkList.row.copy} tabIndex={tabIndex} />
      </span>
    </>
  );
}

function Cell({ column, link }: { column: Column; link: Link }) {
  return (
    <div className={cx("shrink-0 text-sm", COLUMN_WIDTHS[column])}>
      {/* The list is no table, so its heads name nothing to screen readers. */}
      {(column !== "tags" || link.tags.length > 0) && (
        <span className="sr-only">{texts.linkList.columns[column]}: </span>
      )}
      {column === "tags" && <LinkTags tags={link.tags} max={3} />}
      {column === "clicks" && (
        <>
          <span className="font-semibold tabular" title={formatCount(link.clicks)}>
            {formatCompact(link.clicks)}
          </span>
          {link.importedClicks > 0 && (
            <span className="block truncate text-soft tabular">
              {texts.linkList.importedClicks(link.importedClicks)}
            </span>
          )}
        </>
      )}
      {column === "createdBy" && <CreatorName link={link} />}
      {column === "createdAt" && <Age at={link.createdAt} />}
      {column === "lastClickedAt" &&
        (link.lastClickedAt === null ? (
          <span className="text-soft">{texts.linkList.never}</span>
        ) : (
          <Age at={link.lastClickedAt} />
        ))}
    </div>
  );
}

function CreatorName({ link }: { link: Link }) {
  const name = nameOfCreator(useCreators(), link.createdBy);
  return (
    <span dir="auto" title={name} className="block truncate text-soft">
      {name}
    </span>
  );
}

function Age({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)} className="whitespace-nowrap text-soft">
      {formatRelative(at)}
    </time>
  );
}

function SelectBox(props: LinkRowProps) {
  const { link, selected, canWrite, onSelect } = props;
  if (!canWrite) return null;
  return (
    // The label makes the target larger than the box.
    <label className="relative z-1 -my-1 -ms-2 grid size-8 shrink-0 cursor-pointer place-content-center">
      <input
        type="checkbox"
        className="checkbox"
        aria-label={texts.linkList.row.select(withoutScheme(link.shortUrl))}
        // Space selects a link, and presses the button of a deleted one.
        tabIndex={link.deletesAt === undefined ? -1 : tabIndexOf(props)}
        checked={selected}
        // Space clicks too. A change event has no modifier keys.
        onClick={({ shiftKey }) => onSelect(link.id, shiftKey)}
      />
    </label>
  );
}
