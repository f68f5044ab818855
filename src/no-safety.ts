import type * as safety from "#safety";

// In the place of the wing `safety` in a build without it. Links are not screened, and links of strangers and of new accounts
// redirect as any others.

export const REPORT_PATH: typeof safety.REPORT_PATH = null;

export const serveReports: typeof safety.serveReports = () =>
  Promise.reject(new Error("There is no form for reports."));

export const loadChecks: typeof safety.loadChecks = async () => ({
  screen: async () => ({ blocked: new Map(), hasPassed: true }),
  watch: async () => undefined,
  verdictOfStranger: () => 0,
  firstTrustCheck: () => null,
});

export const loadRoutes: typeof safety.loadRoutes = async () => [];

export const loadTasks = async () => ({ TASKS: [], SLOW_TASKS: [] });

export const startScreener: typeof safety.startScreener = () => Promise.reject(new Error("Nothing is screened."));
