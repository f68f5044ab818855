import { buildDashboard } from "../scripts/build-dashboard.ts";

/** Builds what the binding ASSETS has, before any test. */
export default buildDashboard;
