import { ImageDown } from "lucide-react";
import { toFileName } from "#src/platform/lib/slug.ts";
import { formatCount, LOCALE, lazily } from "../../lib/format.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { ChartTexts, ImageFormat } from "./chart-image.ts";
import { useAnalytics, type AnalyticsState } from "./context.ts";
import { formatSpan } from "./moments.ts";
import type { Sums } from "./queries.ts";
import { METRIC_NAMES, type Metric } from "./summary.tsx";
import { conditionsOf, dayAt } from "./view.ts";

const { image: words, filters, parameters, timeline } = texts.analytics;
const anyOf = lazily(() => new Intl.ListFormat(LOCALE, { type: "disjunction" }));

/** The chart as a file. `chart` returns its element, which is shown. */
export function ImageMenu({ sums, metric, chart }: { sums: Sums; metric: Metric; chart: () => SVGSVGElement | null }) {
  const state = useAnalytics();
  const save = async (format: ImageFormat) => {
    const shown = chart();
    if (shown === null) return;
    try {
      const { saveChart } = await import("./chart-image.ts");
      await saveChart(shown, textsOf(state, sums, metric), format);
    } catch {
      showToast({ title: words.failed, kind: "problem" });
    }
  };
  return (
    <Menu trigger={<IconButton label={words.label} icon={<ImageDown size={16} aria-hidden />} />}>
      <MenuItem onSelect={() => void save("png")}>{words.png}</MenuItem>
      <MenuItem onSelect={() => void save("svg")}>{words.svg}</MenuItem>
    </Menu>
  );
}

function textsOf({ source, view, nameOf }: AnalyticsState, sums: Sums, metric: Metric): ChartTexts {
  const { start, end, bucket, total, unique, previous } = sums;
  const before = previous?.[metric === "clicks" ? "total" : "unique"];
  const counted = `${METRIC_NAMES[metric]}: ${formatCount(metric === "clicks" ? total : unique)}`;
  const compared =
    before === undefined ? "" : ` · ${words.dashed(timeline.befores[view.comparison], formatCount(before))}`;
  const conditions = conditionsOf(view.filters).map(({ name, isNot, values }) =>
    filters.sentence(parameters[name], isNot, anyOf().format(values.map((value) => nameOf(name, value)))),
  );
  const period = `${formatSpan(bucket, start, end, view.timezone)} · ${view.timezone.replaceAll("_", " ")}`;
  const days = [start, end - 1].map((at) => dayAt(at, view.timezone));
  const subject = source.kind === "link" ? toFileName(source.link.slug) : source.kind;
  return {
    title: source.kind === "link" ? withoutScheme(source.link.shortUrl) : nameOfPage(),
    lines: [counted + compared, period, ...(conditions.length === 0 ? [] : [conditions.join(" · ")])],
    source: words.source(location.host),
    fileName: `${METRIC_NAMES[metric].toLowerCase()}-${subject.replaceAll(/[^\p{L}\p{N}-]+/gu, "-")}-${days.join("-to-")}`,
  };
}

/** The title of the page without the name of the service. */
const nameOfPage = () => document.title.replace(/ · Tern$/, "");
