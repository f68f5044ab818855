import { texts } from "../../texts/index.ts";
import { Page } from "../../ui/layout.tsx";
import { AnalyticsView } from "./analytics-view.tsx";

/** The clicks of the account, which tags, domains and links can filter. */
export function AnalyticsPage() {
  return (
    <Page title={texts.shell.pages.analytics} wide>
      <AnalyticsView source={{ kind: "account" }} />
    </Page>
  );
}
