import { Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { texts } from "../../texts/index.ts";
import { Card, Skeleton } from "../../ui/layout.tsx";
import { CardHeader } from "./dimension-card.tsx";
import type { List } from "./dimensions.ts";
import type { Sums } from "./queries.ts";
import { ValueList } from "./value-list.tsx";

const WorldMap = lazyPart(() => import("./world-map.tsx").then(({ WorldMap }) => WorldMap));

const LISTS = ["countries", "regions", "cities", "continents"] as const;

/** Where the clicks come from: a map, and the same places as a list. */
export function LocationsCard({ sums }: { sums: Sums }) {
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
