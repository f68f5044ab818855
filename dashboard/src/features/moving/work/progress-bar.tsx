import { cx } from "#dashboard/lib/class-names.ts";
import { formatCount } from "#dashboard/lib/format.ts";

/** How far something is. Without `total`, that it goes on. */
export function ProgressBar({ label, done, total }: { label: string; done?: number; total?: number }) {
  const isKnown = done !== undefined && total !== undefined && total > 0;
  const share = isKnown ? Math.min(1, done / total) : 1;
  return (
    <div
      role="progressbar"
      aria-label={label}
      {...(isKnown && {
        "aria-valuemin": 0,
        "aria-valuemax": total,
        "aria-valuenow": done,
        "aria-valuetext": `${formatCount(done)} / ${formatCount(total)}`,
      })}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={cx("h-full rounded-full bg-accent transition-[width]", !isKnown && "animate-pulse-soft")}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
