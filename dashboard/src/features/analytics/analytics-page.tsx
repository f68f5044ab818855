import { Page } from "../../ui/layout.tsx";

export const AnalyticsPage = () => <Page title="AnalyticsPage">…</Page>;
