import { Download } from "lucide-react";
import { localTimeFormat } from "#src/clicks/analytics/local-time.ts";
import { texts } from "../../texts/index.ts";
import { download } from "../../ui/download-link.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { useAnalytics } from "./context.ts";
import { downloadCsv } from "./csv.ts";
import { pathOf } from "./source.ts";
import type { Sums } from "./queries.ts";
import { periodQuery } from "./view.ts";

const { export: words } = texts.analytics;
const ICON = <Download size={16} className="shrink-0" aria-hidden />;

/** The parts of a menu for files of what is shown: the single clicks, and the timeline. */
export function ExportItems({ sums }: { sums: Sums | undefined }) {
  const { source, view } = useAnalytics();
  const downloadRecords = () =>
    void download(`${pathOf(source)}/records`, { ...periodQuery(view), ...view.filters, format: "csv" });
  return (
    <>
      {source.kind !== "shared" && (
        <MenuItem icon={ICON} onSelect={downloadRecords}>
          {words.records}
          <span className="block max-w-64 text-sm text-soft">{words.recordsHint}</span>
        </MenuItem>
      )}
      <MenuItem
        icon={ICON}
        disabled={sums === undefined}
        onSelect={() => sums !== undefined && downloadTimeline(sums, view.timezone)}
      >
        {words.numbers}
      </MenuItem>
    </>
  );
}

function downloadTimeline({ timeseries, start }: Sums, timezone: string): void {
  const format = localTimeFormat(timezone);
  downloadCsv("clicks-timeline.csv", [
    [words.start, words.clicks, words.visitors],
    ...timeseries.map((bucket) => [
      format(Math.max(start, bucket.start)),
      String(bucket.clicks),
      String(bucket.unique),
    ]),
  ]);
}
