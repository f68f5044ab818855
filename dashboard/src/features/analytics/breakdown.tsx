import { cx } from "../../lib/class-names.ts";
import { texts } from "../../texts/index.ts";
import { Later } from "../../ui/later.tsx";
import { CardSkeleton } from "./analytics-skeleton.tsx";
import { DimensionCard, CardHeader } from "./dimension-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import type { Sums } from "./queries.ts";
import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { Card, Skeleton } from "../../ui/layout.tsx";
import type { List } from "./dimensions.ts";
import { ValueList } from "./value-list.tsx";

const { cards } = texts.analytics;

/** As wide as two cards. */
const WIDE = "md:col-span-2";

const DIMENSIONS: readonly { title: string; lists: readonly [List, ...List[]] }[] = [
  { title: cards.links, lists: ["links"] },
  { title: cards.sources, lists: ["sources", "referrers"] },
  { title: cards.devices, lists: ["devices", "browsers", "os"] },
  { title: cards.campaigns, lists: ["utmCampaigns", "utmSources", "utmMediums", "utmTerms", "utmContents"] },
  { title: cards.ways, lists: ["triggers", "targets"] },
];

/** The cards with what the clicks are counted by. */
export function Breakdown({ sums }: { sums: Sums }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Later placeholder={<CardSkeleton className={WIDE} />}>
        <LocationsCard sums={sums} />
      </Later>
      {DIMENSIONS.map(
        ({ title, lists }) =>
          sums[lists[0]] !== undefined && (
            <Later key={title} placeholder={<CardSkeleton />}>
              <DimensionCard title={title} lists={lists} sums={sums} />
            </Later>
          ),
      )}
      <Later placeholder={<CardSkeleton className={cx(sums.links === undefined && WIDE)} />}>
        <HeatMap sums={sums} />
      </Later>
    </div>
  );
}

const WorldMap = lazyPart(() => import("./world-map.tsx").then(({ WorldMap }) => WorldMap));

const LISTS = ["countries", "regions", "cities", "continents"] as const;

/** Where the clicks come from: a map, and the same places as a list. */
function LocationsCard({ sums }: { sums: Sums }) {
  const [shown, setShown] = useState<List>("countries");
  return (
    <Card className={cx("min-w-0 p-4", WIDE)}>
      <CardHeader title={texts.analytics.cards.locations} lists={LISTS} shown={shown} onShow={setShown} sums={sums} />
      <div className="grid items-center gap-x-8 gap-y-4 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Suspense fallback={<Skeleton className="aspect-[2/1]" />}>
          <WorldMap sums={sums} />
        </Suspense>
        <ValueList list={shown} sums={sums} />
      </div>
    </Card>
  );
}
