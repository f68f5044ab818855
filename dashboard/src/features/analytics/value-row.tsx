import { Link } from "@tanstack/react-router";
import { ChartNoAxesColumn, Ellipsis, ListFilter, ListX } from "lucide-react";
import type { MouseEvent } from "react";
import { formatCount, formatPercent } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useAnalytics } from "./context.ts";
import { isSelection, type ParameterName } from "./dimensions.ts";

const { filters: words } = texts.analytics;

interface ValueRowProps {
  name: ParameterName;
  value: string;
  label: string;
  clicks: number;
  /** The clicks of the period. */
  total: number;
  /** The clicks of the longest bar. */
  most: number;
}

/** A value with its share. A click filters by it, with Alt it excludes it. */
export function ValueRow({ name, value, label, clicks, total, most }: ValueRowProps) {
  const { source, view, toggle } = useAnalytics();
  // Viewers of a shared page cannot choose among its links.
  const canFilter = source.kind !== "shared" || !isSelection(name);
  const content = (
    <>
      <span
        aria-hidden
        className="absolute inset-y-0 inset-s-0 rounded-control bg-wash transition-[width] duration-300"
        style={{ width: `${most === 0 ? 0 : Math.max(0.5, (clicks / most) * 100)}%` }}
      />
      <span dir="auto" className="relative min-w-0 flex-1 truncate text-as-parent">
        {label}
      </span>
      <span className="tabular relative shrink-0 font-semibold">{formatCount(clicks)}</span>
      <span className="tabular relative w-11 shrink-0 text-end text-sm text-soft">
        {formatPercent(total === 0 ? 0 : clicks / total)}
      </span>
    </>
  );
  const row = "relative flex min-h-8 w-full min-w-0 items-center gap-2 rounded-control px-2 py-1 text-start";
  if (!canFilter) return <li className={row}>{content}</li>;
  return (
    <li className="group flex min-w-0 items-center gap-0.5">
      <button
        type="button"
        title={label}
        aria-pressed={view.filters[name]?.includes(value) ?? false}
        onClick={(event: MouseEvent) => toggle(name, value, event.altKey && !isSelection(name))}
        className={`${row} outline-offset-[-2px] hover:bg-sunken aria-pressed:font-semibold`}
      >
        {content}
      </button>
      <RowMenu name={name} value={value} label={label} />
    </li>
  );
}

function RowMenu({ name, value, label }: Pick<ValueRowProps, "name" | "value" | "label">) {
  const { toggle } = useAnalytics();
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={words.options(label)}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-control text-soft opacity-0 group-hover:opacity-100 hover:bg-sunken focus-visible:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
        >
          <Ellipsis size={16} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<ListFilter size={16} aria-hidden />} onSelect={() => toggle(name, value)}>
        {words.only(label)}
      </MenuItem>
      {name === "linkIds" ? (
        <MenuItem asChild>
          <Link to="/links/$linkId" params={{ linkId: value }}>
            <ChartNoAxesColumn size={16} aria-hidden />
            {texts.analytics.cards.openLink}
          </Link>
        </MenuItem>
      ) : (
        <MenuItem icon={<ListX size={16} aria-hidden />} onSelect={() => toggle(name, value, true)}>
          {words.without(label)}
        </MenuItem>
      )}
    </Menu>
  );
}
