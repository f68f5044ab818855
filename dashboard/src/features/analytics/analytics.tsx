import { AnalyticsView } from "./analytics-view.tsx";
import type { Subject } from "./source.ts";

/** The analytics of a link or of the whole account. The period and the filters are in the address of the page. */
export function Analytics({ subject }: { subject: Subject }) {
  return <AnalyticsView source={subject} />;
}
