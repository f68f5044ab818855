import { useQuery } from "@tanstack/react-query";
import { usageQuery } from "#dashboard/api/resources.ts";
import type { Usage } from "#dashboard/api/types.ts";
import { cx } from "#dashboard/lib/class-names.ts";
import { formatCount, formatSize } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";

/** What the account uses of its limits. */
export function UsageSection() {
  const { title, lead } = texts.settings.general.usage;
  const { data, error, refetch } = useQuery(usageQuery);
  return (
    <Section title={title} lead={lead}>
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-72" />}
      {data !== undefined && (
        <ul className="grid gap-x-8 gap-y-4 md:grid-cols-2">
          {Object.entries(data).map(([name, quota]) => (
            <Quota key={name} name={name as keyof Usage} {...quota} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** From this share on, the bar warns. */
const WARNING_SHARE = 0.8;

function Quota({ name, used, limit }: { name: keyof Usage; used: number; limit: number }) {
  const { names, of, full } = texts.settings.general.usage;
  const format = name === "linkBytes" ? formatSize : formatCount;
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  const text = of(format(used), format(limit));
  return (
    <li>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span className="font-semibold">{names[name]}</span>
        <span className="tabular text-sm text-soft">{text}</span>
      </div>
      <div
        role="meter"
        aria-label={names[name]}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={text}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={cx(
            "h-full rounded-full",
            share === 1 ? "bg-bad" : share >= WARNING_SHARE ? "bg-warn" : "bg-accent",
          )}
          style={{ width: `${Math.max(share * 100, used > 0 ? 1 : 0)}%` }}
        />
      </div>
      {share === 1 && <p className="mt-1 text-sm text-bad">{full}</p>}
    </li>
  );
}
