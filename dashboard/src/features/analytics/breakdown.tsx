import { texts } from "../../texts/index.ts";
import { DimensionCard } from "./dimension-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import { LocationsCard } from "./locations-card.tsx";
import type { Sums } from "./queries.ts";

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
