export const AnalyticsPage = () => <p>AnalyticsPage</p>;
