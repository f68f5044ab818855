import { useEffect, useRef, useState, type RefObject } from "react";
import { DAY_MS } from "#src/duration.ts";
import { cx } from "../../lib/class-names.ts";
import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Card, Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { useAnalytics } from "./context.ts";
import { HOURS, weekHours, WEEKDAYS } from "./moments.ts";
import { useHours, type Sums } from "./queries.ts";

const { heat, cards } = texts.analytics;

/** The API returns at most 1,000 buckets. */
const MAX_DAYS = 40;

/** The clicks by weekday and hour. They are read when the card comes into view. */
export function HeatMap({ sums }: { sums: Sums }) {
  const { source, view } = useAnalytics();
  const [ref, isSeen] = useSeen();
  const isShort = sums.end - sums.start <= MAX_DAYS * DAY_MS;
  const { data, error, refetch } = useHours(source, view, isSeen && isShort);
  return (
    <div ref={ref} className={cx("min-w-0", sums.links === undefined && "lg:col-span-2")}>
      <Card className="h-full p-4">
        <h2 className="mb-3 px-2 py-1 font-bold">{cards.hours}</h2>
        {!isShort ? (
          <p className="grid min-h-48 place-content-center text-soft">{heat.tooLong}</p>
        ) : error !== null ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton className="h-56" />
        ) : (
          <HeatTable counts={countByHour(data, view.timezone)} />
        )}
      </Card>
    </div>
  );
}

/** The clicks of each weekday, by hour. */
function countByHour({ timeseries, start }: Sums, timeZone: string): number[][] {
  const counts = WEEKDAYS.long.map(() => HOURS.map(() => 0));
  const read = weekHours(timeZone);
  for (const bucket of timeseries) {
    if (bucket.clicks === 0) continue;
    const { weekday, hour } = read(Math.max(start, bucket.start));
    const row = counts[weekday];
    if (row !== undefined) row[hour] = (row[hour] ?? 0) + bucket.clicks;
  }
  return counts;
}

function HeatTable({ counts }: { counts: number[][] }) {
  const most = Math.max(...counts.flat());
  const weekday = counts.findIndex((row) => row.includes(most));
  const hour = counts[weekday]?.indexOf(most) ?? 0;
  return (
    <>
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs text-soft">
        <thead>
          <tr>
            <th scope="col" className="w-9">
              <span className="sr-only">{heat.weekday}</span>
            </th>
            {HOURS.map((name, each) => (
              <th key={name} scope="col" className="font-normal">
                <span aria-hidden>{each % 6 === 0 ? each : ""}</span>
                <span className="sr-only">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.short.map((name, day) => (
            <tr key={name}>
              <th scope="row" className="pr-1 text-left font-normal">
                {name}
              </th>
              {HOURS.map((hourName, each) => (
                <HeatCell key={hourName} weekday={day} hour={each} count={counts[day]?.[each] ?? 0} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 px-2 text-sm text-soft">
        {most === 0 ? cards.empty : heat.busiest(WEEKDAYS.long[weekday] ?? "", HOURS[hour] ?? "", most)}
      </p>
    </>
  );
}

function HeatCell({ weekday, hour, count, most }: { weekday: number; hour: number; count: number; most: number }) {
  return (
    <td className="p-0" title={heat.value(WEEKDAYS.long[weekday] ?? "", HOURS[hour] ?? "", count)}>
      <span className="relative block h-6 overflow-hidden rounded-xs bg-sunken">
        {count > 0 && (
          <span className="absolute inset-0 bg-accent" style={{ opacity: 0.15 + 0.85 * Math.sqrt(count / most) }} />
        )}
        <span className="sr-only">{formatCount(count)}</span>
      </span>
    </td>
  );
}

/** Whether the element was in view once. */
function useSeen(): [RefObject<HTMLDivElement | null>, boolean] {
  const ref = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isSeen) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setSeen(true));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
