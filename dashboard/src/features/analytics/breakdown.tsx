import { texts } from "../../texts/index.ts";
import { DimensionCard, CardHeader } from "./dimension-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import type { Sums } from "./queries.ts";
import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { Card, Skeleton } from "../../ui/layout.tsx";
import type { List } from "./dimensions.ts";
import { ValueList } from "./value-list.tsx";

const { cards } = texts.analytics;

/** The cards with what the clicks are counted by. */
export function Breakdown({ sums }: { sums: Sums }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <LocationsCard sums={sums} />
      {sums.links !== undefined && <DimensionCard title={cards.links} lists={["links"]} sums={sums} />}
      <DimensionCard title={cards.sources} lists={["sources", "referrers"]} sums={sums} />
      <DimensionCard title={cards.devices} lists={["devices", "browsers", "os"]} sums={sums} />
      <DimensionCard
        title={cards.campaigns}
        lists={["utmCampaigns", "utmSources", "utmMediums", "utmTerms", "utmContents"]}
        sums={sums}
      />
      <DimensionCard title={cards.ways} lists={["triggers", "targets"]} sums={sums} />
      <HeatMap sums={sums} />
    </div>
  );
}

const WorldMap = lazyPart(() => import("./world-map.tsx").then(({ WorldMap }) => WorldMap));

const LISTS = ["countries", "regions", "cities", "continents"] as const;

/** Where the clicks come from: a map, and the same places as a list. */
function LocationsCard({ sums }: { sums: Sums }) {
  const [shown, setShown] = useState<List>("countries");
  return (
    <Card className="min-w-0 p-4 lg:col-span-2">
      <CardHeader title={texts.analytics.cards.locations} lists={LISTS} shown={shown} onShow={setShown} sums={sums} />
      <div className="grid items-center gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Suspense fallback={<Skeleton className="aspect-[2/1]" />}>
          <WorldMap sums={sums} />
        </Suspense>
        <ValueList list={shown} sums={sums} />
      </div>
    </Card>
  );
}
