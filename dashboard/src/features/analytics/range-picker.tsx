import { CalendarDays, ChevronDown } from "lucide-react";
import { useState } from "react";
import { cx } from "../../lib/class-names.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InputField } from "../../ui/field.tsx";
import { Keys } from "../../ui/keys.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useAnalytics } from "./context.ts";
import { formatPeriod } from "./moments.ts";
import { ComparisonField } from "./comparison-field.tsx";
import { TimeZoneField } from "#dashboard/ui/time-zone-field.tsx";
import { SHOWN_INTERVALS, today, type Interval, type Period } from "./view.ts";

const analytics = texts.analytics;

/** None of them is a key of a link, which may be on the same page. */
const INTERVAL_KEYS: Record<Interval, string> = {
  today: "t",
  yesterday: "y",
  "24h": "h",
  "7d": "w",
  "30d": "m",
  "90d": "n",
  mtd: "s",
  "1y": "l",
  all: "z",
};

/** The period and the time zone. */
export function RangePicker() {
  const { view, change } = useAnalytics();
  const [isOpen, setOpen] = useState(false);
  const { period } = view;
  const choose = (period: Period) => {
    setOpen(false);
    change({ period });
  };
  const label = "interval" in period ? analytics.range.intervals[period.interval] : formatPeriod(view);
  return (
    <>
      {SHOWN_INTERVALS.map((interval) => (
        <IntervalKey key={interval} interval={interval} inDialogs={isOpen} onChoose={choose} />
      ))}
      <Popover
        label={analytics.range.label}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button className="max-w-full min-w-0 shrink! px-3!">
            <CalendarDays size={18} aria-hidden className="shrink-0 text-soft" />
            <span className="sr-only">{analytics.range.label}: </span>
            <span className="truncate">{label}</span>
            <ChevronDown size={16} aria-hidden className="shrink-0 text-soft" />
          </Button>
        }
      >
        <div className="-mx-2 -mt-2 mb-3 grid">
          {SHOWN_INTERVALS.map((interval) => (
            <button
              key={interval}
              type="button"
              aria-pressed={"interval" in period && period.interval === interval}
              onClick={() => choose({ interval })}
              className="flex items-center justify-between rounded-control px-2.5 py-1.5 text-start hover:bg-sunken aria-pressed:bg-wash aria-pressed:font-semibold"
            >
              {analytics.range.intervals[interval]}
              <Keys keys={INTERVAL_KEYS[interval]} className="text-soft" />
            </button>
          ))}
        </div>
        <OwnPeriod onShow={choose} />
        <ComparisonField />
        <TimeZoneField className="mt-3" value={view.timezone} onChange={(timezone) => change({ timezone })} />
      </Popover>
    </>
  );
}

interface IntervalKeyProps {
  interval: Interval;
  /** While the panel, which shows the keys, is open. */
  inDialogs: boolean;
  onChoose: (period: Period) => void;
}

function IntervalKey({ interval, inDialogs, onChoose }: IntervalKeyProps) {
  const label = analytics.range.intervals[interval];
  useShortcut(INTERVAL_KEYS[interval], { label, group: analytics.range.label, inDialogs }, () =>
    onChoose({ interval }),
  );
  return null;
}

const day = (edge: string | number) => (typeof edge === "string" ? edge : "");

/** A period from one day to another, both included. */
function OwnPeriod({ onShow }: { onShow: (period: Period) => void }) {
  const { period, timezone } = useAnalytics().view;
  const [start, setStart] = useState("start" in period ? day(period.start) : "");
  const [end, setEnd] = useState("end" in period ? day(period.end) : today(timezone));
  const [problem, setProblem] = useState<string>();
  const show = () => {
    if (start === "" || end === "") setProblem(analytics.range.missing);
    else if (end < start) setProblem(analytics.range.order);
    else onShow({ start, end });
  };
  return (
    <Form className={cx("border-y border-line py-3")} noValidate onSubmit={() => show()}>
      <p className="mb-2 font-semibold">{analytics.range.custom}</p>
      <div className="grid grid-cols-2 gap-2">
        <InputField label={analytics.range.from} type="date" max="9999-12-31" value={start} onValue={setStart} />
        <InputField label={analytics.range.to} type="date" max="9999-12-31" value={end} onValue={setEnd} />
      </div>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
      <Button type="submit" size="small" className="mt-3 w-full">
        {analytics.range.show}
      </Button>
    </Form>
  );
}
