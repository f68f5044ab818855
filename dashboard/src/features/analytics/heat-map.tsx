import { cx } from "../../lib/class-names.ts";
import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Card } from "../../ui/layout.tsx";
import { useAnalytics } from "./context.ts";
import { formatDay, hourNames, weekdayNames } from "./moments.ts";
import type { Sums } from "./queries.ts";

const { heat, cards } = texts.analytics;

/** The clicks by weekday and hour. */
export function HeatMap({ sums: { weekHours, links, start, detailFrom } }: { sums: Sums }) {
  const { timezone } = useAnalytics().view;
  const from = detailFrom.quarterHours ?? 0;
  return (
    <div className={cx("min-w-0", links === undefined && "md:col-span-2")}>
      <Card className="h-full p-4">
        <h2 className="mb-3 px-2 py-1 font-bold">{cards.hours}</h2>
        <HeatTable counts={weekHours ?? []} />
        {from > start && <p className="mt-1 px-2 text-sm text-soft">{heat.from(formatDay(from, timezone))}</p>}
      </Card>
    </div>
  );
}

function HeatTable({ counts }: { counts: readonly (readonly number[])[] }) {
  const weekdays = weekdayNames();
  const hours = hourNames();
  const most = Math.max(0, ...counts.flat());
  const weekday = counts.findIndex((row) => row.includes(most));
  const hour = counts[weekday]?.indexOf(most) ?? 0;
  return (
    <>
      <table dir="ltr" className="w-full table-fixed border-separate border-spacing-0.5 text-xs text-soft">
        <thead>
          <tr>
            <th scope="col" className="w-11">
              <span className="sr-only">{heat.weekday}</span>
            </th>
            {hours.map((name, each) => (
              <th key={name} scope="col" className="font-normal">
                <span aria-hidden>{each % 6 === 0 ? each : ""}</span>
                <span className="sr-only">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.short.map((name, day) => (
            <tr key={name}>
              <th scope="row" className="pe-1 text-start font-normal">
                {name}
              </th>
              {hours.map((hourName, each) => {
                const count = counts[day]?.[each] ?? 0;
                const label = heat.value(weekdays.long[day] ?? "", hourName, count);
                return <HeatCell key={hourName} label={label} count={count} most={most} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 px-2 text-sm text-soft">
        {most === 0 ? cards.empty : heat.busiest(weekdays.long[weekday] ?? "", hours[hour] ?? "", most)}
      </p>
    </>
  );
}

function HeatCell({ label, count, most }: { label: string; count: number; most: number }) {
  return (
    <td className="p-0" title={label}>
      <span className="relative block h-6 overflow-hidden rounded-xs bg-sunken">
        {count > 0 && (
          <span className="absolute inset-0 bg-accent" style={{ opacity: 0.15 + 0.85 * Math.sqrt(count / most) }} />
        )}
        <span className="sr-only">{formatCount(count)}</span>
      </span>
    </td>
  );
}
