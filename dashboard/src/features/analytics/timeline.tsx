import { Suspense, useId, useState, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from "react";
import { MINUTE_MS } from "#src/limits.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { NotesPlace } from "./analytics-skeleton.tsx";
import { useAnalytics } from "./context.ts";
import { ImageMenu } from "./image-menu.tsx";
import { axisFormat, bucketFormat, formatDay, formatSpan } from "./moments.ts";
import { NoteMarks } from "./notes/note-marks.tsx";
import { useNotes, type Note } from "./notes/queries.ts";
import type { Sums } from "./queries.ts";
import { METRIC_NAMES, type Metric } from "./summary.tsx";
import { indexAt, layPlot, TimelinePlot, type Plot } from "./timeline-plot.tsx";
import { Readout } from "./timeline-readout.tsx";
import { TimelineTable } from "./timeline-table.tsx";
import { periodBetween } from "./view.ts";

const NoteList = lazyPart(() => import("./notes/note-list.tsx").then(({ NoteList }) => NoteList));

const { timeline } = texts.analytics;

/** The buckets between two of them, both included. */
interface Part {
  anchor: number;
  end: number;
}

const edgesOf = ({ anchor, end }: Part) => [Math.min(anchor, end), Math.max(anchor, end)] as const;

/** The clicks or visitors over time. A part that is selected becomes the period. */
export function Timeline({ sums, metric }: { sums: Sums; metric: Metric }) {
  const { source, view, change } = useAnalytics();
  const notes = useNotes(sums);
  const noted = notesByBucket(sums, notes.notes);
  const [ref, width] = useWidth<HTMLDivElement>();
  const [cursor, setCursor] = useState<number | null>(null);
  const [part, setPart] = useState<Part | null>(null);
  const { timeseries, previous, bucket } = sums;
  const plot = layPlot(
    timeseries.map((each) => each[metric]),
    (previous?.timeseries ?? []).map((each) => each[metric]),
    width,
  );
  const write = bucketFormat(bucket, view.timezone);
  const onAxis = axisFormat(bucket, view.timezone);
  const spanOf = (selected: Part) => spanOfBuckets(sums, ...edgesOf(selected));
  const showPart = (selected: Part) => {
    const [start, end] = spanOf(selected);
    setPart(null);
    change({ period: periodBetween(start, end, view.timezone) });
  };
  const say = (index: number) =>
    [
      timeline.value(
        write(timeseries[index]?.start ?? 0),
        plot.values[index] ?? 0,
        METRIC_NAMES[metric],
        plot.before[index] ?? null,
        view.comparison,
      ),
      ...(noted.get(index) ?? []).map(({ text }) => timeline.note(text)),
    ].join(". ");
  const hintId = useId();
  const controls = useControls({ plot, cursor, part, setCursor, setPart, showPart });
  return (
    <div className="px-2 pt-3 pb-2">
      <div className="flex items-center justify-end gap-4 px-1 pb-1">
        <Legend before={previous && timeline.befores[view.comparison]} />
        <ImageMenu sums={sums} metric={metric} chart={() => ref.current?.querySelector("svg") ?? null} />
      </div>
      <div
        ref={ref}
        // Time runs from left to right in every language.
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={timeline.label}
        aria-describedby={hintId}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, timeseries.length - 1)}
        aria-valuenow={cursor ?? 0}
        aria-valuetext={say(cursor ?? 0)}
        className="relative touch-pan-y rounded-control contain-inline-size select-none"
        {...controls}
      >
        {width === 0 ? (
          <div className="h-[250px]" />
        ) : (
          <TimelinePlot
            plot={plot}
            labels={(index) => onAxis(timeseries[index]?.start ?? 0)}
            cursor={cursor}
            selection={part === null ? null : edgesOf(part)}
            detailFrom={detailBucket(sums)}
          />
        )}
        {width > 0 && <NoteMarks plot={plot} buckets={noted.keys()} />}
        {sums.total === 0 && <EmptyNote isFiltered={Object.keys(view.filters).length > 0} />}
        {cursor !== null && sums.total > 0 && width > 0 && (
          <Readout
            plot={plot}
            index={cursor}
            title={write(timeseries[cursor]?.start ?? 0)}
            metric={metric}
            nameOfBefore={timeline.befores[view.comparison]}
            notes={noted.get(cursor) ?? []}
          />
        )}
      </div>
      {detailBucket(sums) !== null && (
        <p className="px-3 pb-1 text-sm text-soft">
          {timeline.detail(formatDay(sums.detailFrom.clicks ?? 0, view.timezone))}
        </p>
      )}
      <p id={hintId} className="sr-only">
        {timeline.hint}
      </p>
      {part !== null && (
        <div className="flex flex-wrap items-center gap-2 px-3 pt-1 pb-2">
          <Button size="small" kind="primary" onClick={() => showPart(part)}>
            {timeline.zoom(formatSpan(bucket, ...spanOf(part), view.timezone))}
          </Button>
          <Button size="small" kind="quiet" onClick={() => setPart(null)}>
            {timeline.cancel}
          </Button>
        </div>
      )}
      <TimelineTable sums={sums} write={write} />
      {source.kind !== "shared" && (
        <Suspense fallback={<NotesPlace />}>
          <NoteList shown={notes} newAt={timeOfNewNote(sums, cursor)} />
        </Suspense>
      )}
    </div>
  );
}

/** The first bucket of which single clicks are stored; null: of all that the period has. */
function detailBucket({ timeseries, start, detailFrom: { clicks } }: Sums): number | null {
  if (clicks === null || clicks <= start) return null;
  const bucket = timeseries.findIndex((each) => each.start >= clicks);
  return bucket === -1 ? timeseries.length : bucket;
}

function notesByBucket({ timeseries }: Sums, notes: readonly Note[]): ReadonlyMap<number, readonly Note[]> {
  return Map.groupBy(notes, ({ at }) => timeseries.findLastIndex(({ start }) => start <= at));
}

/** Unix milliseconds, a whole minute: in the bucket at the cursor, or as late as the period has. */
function timeOfNewNote({ timeseries, start, end }: Sums, cursor: number | null): number {
  const at = cursor === null ? Math.min(Date.now(), end - 1) : (timeseries[cursor]?.start ?? start);
  return Math.floor(Math.max(start, at) / MINUTE_MS) * MINUTE_MS;
}

/** The times from the start of a bucket to the end of another one, within the period. */
function spanOfBuckets({ timeseries, start, end }: Sums, first: number, last: number): [number, number] {
  return [Math.max(start, timeseries[first]?.start ?? start), timeseries[last + 1]?.start ?? end];
}

/** How far the pointer moves before it selects. */
const DRAG_PX = 6;

const xOf = (event: PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left;

/** What the mouse and the keys do. */
function useControls({
  plot,
  cursor,
  part,
  setCursor,
  setPart,
  showPart,
}: {
  plot: Plot;
  cursor: number | null;
  part: Part | null;
  setCursor: (index: number | null) => void;
  setPart: (part: Part | null) => void;
  showPart: (part: Part) => void;
}) {
  const [pressedAt, setPressedAt] = useState<number | null>(null);
  const move = (event: KeyboardEvent, index: number) => {
    const next = Math.min(plot.values.length - 1, Math.max(0, index));
    event.preventDefault();
    setPart(event.shiftKey ? { anchor: part?.anchor ?? cursor ?? next, end: next } : null);
    setCursor(next);
  };
  return {
    onPointerMove: (event: PointerEvent) => {
      const x = xOf(event);
      const index = indexAt(plot, x);
      setCursor(index);
      if (pressedAt !== null && Math.abs(x - pressedAt) >= DRAG_PX)
        setPart({ anchor: indexAt(plot, pressedAt), end: index });
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setPart(null);
      setPressedAt(xOf(event));
    },
    onPointerUp: () => {
      if (pressedAt !== null && part !== null) showPart(part);
      setPressedAt(null);
    },
    onPointerLeave: () => setCursor(null),
    onBlur: () => setCursor(null),
    onFocus: (event: { currentTarget: Element }) => {
      if (event.currentTarget.matches(":focus-visible")) setCursor(cursor ?? plot.values.length - 1);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const at = cursor ?? plot.values.length - 1;
      if (event.key === "ArrowLeft") move(event, at - 1);
      else if (event.key === "ArrowRight") move(event, at + 1);
      else if (event.key === "Home") move(event, 0);
      else if (event.key === "End") move(event, plot.values.length - 1);
      else if (event.key === "Enter") showPart(part ?? { anchor: at, end: at });
      else if (event.key === "Escape" && part !== null) {
        event.preventDefault();
        setPart(null);
      }
    },
  };
}

function Legend({ before }: { before: string | undefined }) {
  return (
    <div aria-hidden className="flex flex-wrap justify-end gap-x-4 gap-y-1 text-xs text-soft">
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-accent" />
        {timeline.now}
      </span>
      {before !== undefined && (
        <span className="flex items-center gap-1.5">
          <span className="w-4 border-t-2 border-dashed border-control" />
          {before}
        </span>
      )}
    </div>
  );
}

function EmptyNote({ isFiltered }: { isFiltered: boolean }) {
  return (
    <p className="pointer-events-none absolute inset-0 grid place-content-center pb-8 text-soft">
      <span dir="auto" className="rounded-control bg-surface px-3 py-1">
        {isFiltered ? timeline.emptyFiltered : timeline.empty}
      </span>
    </p>
  );
}

/** The width of an element in pixels, while it changes too. */
function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
