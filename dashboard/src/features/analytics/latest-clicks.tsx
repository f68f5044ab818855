import { Radio, SlidersHorizontal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cx } from "../../lib/class-names.ts";
import { formatMoment, formatRelative } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ColumnChoice } from "../../ui/column-choice.tsx";
import { Card } from "../../ui/layout.tsx";
import { Popover } from "../../ui/popover.tsx";
import {
  CHOSEN_CLICK_COLUMNS,
  storeClickColumns,
  useClickColumns,
  valueOf,
  type ClickColumn,
} from "./click-columns.ts";
import { useAnalytics } from "./context.ts";
import type { LiveClicks, LiveState } from "./live.ts";
import type { ClickRecord } from "./live-socket.ts";
import { ColumnHead } from "../../ui/column-head.tsx";

const { cards, live: words } = texts.analytics;

/** The newest single clicks; in live mode with those that arrive. */
export function LatestClicks({
  recent,
  live,
  onLive,
}: {
  recent: readonly ClickRecord[];
  live: LiveClicks;
  onLive: (isOn: boolean) => void;
}) {
  const { source } = useAnalytics();
  const now = useNow();
  const known = new Set(live.clicks.map(({ id }) => id));
  const kept = useClickColumns();
  // The page of one link has no column for the link.
  const isOffered = (column: ClickColumn) => source.kind !== "link" || column !== "linkIds";
  const columns = kept.filter(isOffered);
  const clicks = [...live.clicks, ...recent.filter(({ id }) => !known.has(id))];
  return (
    <Card className="min-w-0 p-4">
      <header className="mb-2 flex flex-wrap items-center gap-3 px-2">
        <h2 className="py-1 font-bold">{cards.latest}</h2>
        <LiveSwitch state={live.state} onLive={onLive} />
        <span role="status" className="flex flex-1 flex-wrap justify-between gap-x-3 text-sm text-soft">
          <span>{words.states[live.state]}</span>
          <span className="tabular">{live.total > 0 && words.announced(live.total)}</span>
        </span>
        <Popover
          label={words.columns}
          align="end"
          trigger={<IconButton label={words.columns} icon={<SlidersHorizontal size={16} aria-hidden />} size="small" />}
        >
          <ColumnChoice
            label={words.columns}
            all={CHOSEN_CLICK_COLUMNS.filter(isOffered)}
            chosen={columns}
            nameOf={(column) => texts.analytics.parameters[column]}
            onChange={(chosen) => storeClickColumns([...kept.filter((column) => !isOffered(column)), ...chosen])}
          />
        </Popover>
      </header>
      {clicks.length === 0 ? (
        <p className="py-10 text-center text-soft">{words.empty}</p>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        <div className="overflow-x-auto fade-edges" tabIndex={0} role="region" aria-label={cards.latest}>
          <table className="w-full text-start text-sm">
            <thead className="text-soft">
              <tr>
                <ColumnHead className="px-2 py-1">{words.when}</ColumnHead>
                {columns.map((column) => (
                  <ColumnHead key={column} className="px-2 py-1 whitespace-nowrap">
                    {texts.analytics.parameters[column]}
                  </ColumnHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {clicks.map((click) => (
                <ClickRow key={click.id} click={click} columns={columns} now={now} isNew={known.has(click.id)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** Begins and ends the stream. Its key shows the stream, which may be far below. */
function LiveSwitch({ state, onLive }: { state: LiveState; onLive: (isOn: boolean) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const isOn = state !== "off";
  useShortcut("v", { label: isOn ? words.stop : words.start, group: texts.analytics.group }, () => {
    onLive(!isOn);
    if (!isOn) button.current?.scrollIntoView({ block: "center" });
  });
  return (
    <Button ref={button} kind="quiet" size="small" aria-pressed={isOn} onClick={() => onLive(!isOn)}>
      <Radio
        size={16}
        aria-hidden
        className={cx(state === "open" && "animate-pulse-soft text-beak", isOn && state !== "open" && "text-warn")}
      />
      {words.label}
    </Button>
  );
}

function ClickRow({
  click,
  columns,
  now,
  isNew,
}: {
  click: ClickRecord;
  columns: readonly ClickColumn[];
  now: number;
  isNew: boolean;
}) {
  const { nameOf } = useAnalytics();
  const { clickedAt } = click;
  return (
    <tr className={isNew ? "animate-rise border-t border-line bg-good-wash/50" : "border-t border-line"}>
      <td className="px-2 py-1.5 whitespace-nowrap" title={formatMoment(clickedAt)}>
        {formatRelative(Math.min(clickedAt, now), now)}
      </td>
      {columns.map((column) => (
        <td key={column} className="max-w-60 truncate px-2">
          {nameOf(column, valueOf(click, column))}
        </td>
      ))}
    </tr>
  );
}

const TICK_MS = 10_000;

/** The current time, for "5 seconds ago". */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
