import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { AnalyticsContext, type AnalyticsState } from "./context.ts";
import { AnalyticsSkeleton, TimelineSkeleton } from "./analytics-skeleton.tsx";
import { Breakdown } from "./breakdown.tsx";
import { useLinkNames } from "./link-names.ts";
import { LatestClicks } from "./latest-clicks.tsx";
import { useLiveClicks, type LiveClicks } from "./live.ts";
import { nameOfValue, type KnownLinks } from "./names.ts";
import { CLICKS, useClicks, useHasClicks, type Sums } from "./queries.ts";
import type { Source } from "./source.ts";
import { Summary, type Metric } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useView } from "./use-view.ts";
import { toggleValue, type View } from "./view.ts";
import { Link } from "@tanstack/react-router";
import { MousePointerClick } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Card, EmptyState } from "../../ui/layout.tsx";
import { Later } from "../../ui/later.tsx";

/** Analytics with everything that changes their view. */
export function AnalyticsView({ source }: { source: Source }) {
  const [view, show] = useView();
  const [isLive, setLive] = useState(false);
  const [metric, setMetric] = useState<Metric>("clicks");
  const client = useQueryClient();
  const { data, error, isPlaceholderData, isFetching } = useClicks(source, view);
  const isEmpty = data !== undefined && data.total + data.bots === 0 && Object.keys(view.filters).length === 0;
  const hasClicks = useHasClicks(source, isEmpty);
  const live = useLiveClicks(source, view, isLive);
  const known = useKnownLinks(source, view, data, live);
  const refresh = () => void client.invalidateQueries({ queryKey: CLICKS });

  return (
    <AnalyticsContext value={stateOf(source, view, show, known)}>
      <Toolbar sums={data} isFetching={isFetching} onRefresh={refresh} />
      {error !== null && <ErrorNotice error={error} onRetry={refresh} className="mb-4" />}
      {data === undefined ? (
        error === null && <AnalyticsSkeleton source={source} />
      ) : isEmpty && hasClicks === false ? (
        <div className="grid gap-4">
          <NoClicks source={source} />
          {source.kind !== "shared" && <LatestClicks recent={[]} live={live} onLive={setLive} />}
        </div>
      ) : (
        <div aria-busy={isPlaceholderData} className="grid gap-4">
          <div className="relative rounded-card border border-line bg-surface shadow-card">
            {isPlaceholderData && <Progress />}
            <Summary sums={data} metric={metric} onMetric={setMetric} />
            <Later placeholder={<TimelineSkeleton source={source} />}>
              <Timeline key={`${data.start} ${data.end} ${data.bucket}`} sums={data} metric={metric} />
            </Later>
          </div>
          <Breakdown sums={data} />
          {data.recent !== undefined && (
            <Later>
              <LatestClicks recent={data.recent} live={live} onLive={setLive} />
            </Later>
          )}
          <p role="status" className="sr-only">
            {isFetching && isPlaceholderData ? texts.analytics.refreshing : ""}
          </p>
        </div>
      )}
    </AnalyticsContext>
  );
}

/** Shows that the numbers are about to be replaced. They keep their contrast. */
function Progress() {
  return <div aria-hidden className="absolute inset-x-3 -top-px h-0.5 animate-pulse-soft rounded-full bg-accent" />;
}

function stateOf(source: Source, view: View, show: (view: View) => void, known: KnownLinks): AnalyticsState {
  return {
    source,
    view,
    change: (changes) => show({ ...view, ...changes }),
    toggle: (name, value, isNot) => show({ ...view, filters: toggleValue(view.filters, name, value, isNot) }),
    nameOf: (name, value) => nameOfValue(name, value, known),
  };
}

/** The links of the totals, and those that only filters and single clicks name. */
function useKnownLinks(source: Source, view: View, sums: Sums | undefined, live: LiveClicks): KnownLinks {
  const counted = linksOf(sums);
  const named = [
    ...(view.filters.linkIds ?? []),
    ...[...live.clicks, ...(sums?.recent ?? [])].map(({ linkId }) => linkId),
  ];
  // The page of one link needs no other names, and viewers of shared pages may read none.
  const mayRead = source.kind === "account" && sums !== undefined;
  const others = useLinkNames(mayRead ? [...new Set(named)].filter((id) => !counted.has(id)) : []);
  return {
    shortUrls: new Map([...others, ...counted]),
    rules: source.kind === "link" ? source.link.rules.map(({ id }) => id) : [],
  };
}

function linksOf(sums: Sums | undefined): Map<string, string> {
  const shortUrls = new Map<string, string>();
  for (const { value, shortUrl } of sums?.links ?? [])
    shortUrls.set(value, shortUrl == null ? texts.analytics.values.deleted : withoutScheme(shortUrl));
  return shortUrls;
}

const { none } = texts.analytics;

/** Stands in place of all numbers as long as there never was a click. */
function NoClicks({ source }: { source: Source }) {
  return (
    <Card>
      <EmptyState
        icon={<MousePointerClick aria-hidden />}
        title={none.title}
        action={
          source.kind === "account" && (
            <Button kind="primary" asChild>
              <Link to="/links">{none.action}</Link>
            </Button>
          )
        }
        text={source.kind === "account" ? none.ofAccount : none.ofLink}
      />
    </Card>
  );
}
