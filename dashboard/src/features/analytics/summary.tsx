import { useEffect, useRef, useState, type ReactNode } from "react";
import { cx } from "../../lib/class-names.ts";
import { formatChange, formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Badge } from "../../ui/layout.tsx";
import { tooltip } from "../../ui/tooltip.tsx";
import { useAnalytics } from "./context.ts";
import type { Sums } from "./queries.ts";

/** What the timeline shows. */
export type Metric = "clicks" | "unique";

const { summary } = texts.analytics;

export const METRIC_NAMES: Record<Metric, string> = { clicks: summary.clicks, unique: summary.visitors };

/** The totals of the period. Clicks and visitors choose what the timeline shows. */
export function Summary({
  sums,
  metric,
  onMetric,
}: {
  sums: Sums;
  metric: Metric;
  onMetric: (metric: Metric) => void;
}) {
  const { total, unique, bots, importedClicks = 0, previous } = sums;
  return (
    <div className="grid grid-cols-3 border-b border-line sm:flex">
      <MetricButton metric="clicks" shown={metric} onShow={onMetric}>
        <Figure name={summary.clicks} value={total} before={previous?.total} />
      </MetricButton>
      <MetricButton metric="unique" shown={metric} onShow={onMetric}>
        <Figure name={summary.visitors} hint={summary.visitorsHint} value={unique} before={previous?.unique} />
      </MetricButton>
      <div className="px-3.5 py-4 sm:px-5">
        <Figure name={summary.bots} hint={summary.botsHint} value={bots} before={previous?.bots} quiet />
      </div>
      {importedClicks > 0 && (
        <div className="px-3.5 py-4 sm:px-5">
          <Figure name={summary.imported} value={importedClicks} before={undefined} quiet />
        </div>
      )}
    </div>
  );
}

function MetricButton({
  metric,
  shown,
  onShow,
  children,
}: {
  metric: Metric;
  shown: Metric;
  onShow: (metric: Metric) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={metric === shown}
      onClick={() => onShow(metric)}
      className={cx(
        "flex flex-col border-e border-b-2 border-e-line px-3.5 pt-4 sm:px-5 pb-3.5 text-start transition-colors first:rounded-ss-card hover:bg-sunken/60",
        metric === shown ? "border-b-accent" : "border-b-transparent",
      )}
    >
      {children}
    </button>
  );
}

function Figure({
  name,
  hint,
  value,
  before,
  quiet = false,
}: {
  name: string;
  hint?: string;
  value: number;
  before: number | undefined;
  quiet?: boolean;
}) {
  return (
    <>
      <span className="block text-sm font-semibold text-soft" {...(hint !== undefined && tooltip(hint))}>
        {name}
      </span>
      <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <span className={cx("tabular text-2xl leading-tight font-bold tracking-tight", quiet && "text-soft")}>
          <RollingCount value={value} />
        </span>
        {before !== undefined && <Change value={value} before={before} quiet={quiet} />}
      </span>
    </>
  );
}

function Change({ value, before, quiet }: { value: number; before: number; quiet: boolean }) {
  const { comparison } = useAnalytics().view;
  if (before === 0) return value === 0 ? null : <span className="text-sm text-soft">{summary.nothingBefore}</span>;
  const change = (value - before) / before;
  const kind = quiet || Math.abs(change) < 0.005 ? "neutral" : change > 0 ? "good" : "bad";
  const label = `${summary.change(formatChange(change), comparison)}: ${summary.before(formatCount(before))}`;
  return (
    <span {...tooltip(label)}>
      <Badge kind={kind}>
        {formatChange(change)}
        <span className="sr-only">{summary.change("", comparison)}</span>
      </Badge>
    </span>
  );
}

const ROLL_MS = 450;

/** A number that runs to its new value, unless the person prefers less motion. */
function RollingCount({ value }: { value: number }) {
  const [shown, setShown] = useState(value);
  const from = useRef(value);
  useEffect(() => {
    if (from.current === value) return undefined;
    const first = from.current;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    const began = performance.now();
    let frame = requestAnimationFrame(function roll(now) {
      const done = isStill ? 1 : Math.min(1, Math.max(0, now - began) / ROLL_MS);
      from.current = Math.round(first + (value - first) * (1 - (1 - done) ** 3));
      setShown(from.current);
      if (done < 1) frame = requestAnimationFrame(roll);
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return <>{formatCount(shown)}</>;
}
