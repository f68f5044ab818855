import { Download } from "lucide-react";
import { localTimeFormat } from "#src/analytics/local-time.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { download } from "../../ui/download-link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useAnalytics } from "./context.ts";
import { downloadCsv } from "./csv.ts";
import { pathOf } from "./source.ts";
import type { Sums } from "./queries.ts";
import { periodQuery } from "./view.ts";

const { export: words } = texts.analytics;

/** Files of what is shown: the single clicks, and the timeline. */
export function ExportMenu({ sums }: { sums: Sums | undefined }) {
  const { source, view } = useAnalytics();
  const downloadRecords = () =>
    void download(`${pathOf(source)}/records`, { ...periodQuery(view), ...view.filters, format: "csv" });
  return (
    <Menu trigger={<IconButton label={words.label} icon={<Download size={18} aria-hidden />} />}>
      {source.kind !== "shared" && (
        <MenuItem onSelect={downloadRecords}>
          {words.records}
          <span className="block max-w-64 text-sm text-soft">{words.recordsHint}</span>
        </MenuItem>
      )}
      <MenuItem
        disabled={sums === undefined}
        onSelect={() => sums !== undefined && downloadTimeline(sums, view.timezone)}
      >
        {words.numbers}
      </MenuItem>
    </Menu>
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
