/**
 * Every folder and file of `src`, the lowest layer first. A module imports from its own folder and from lower layers only,
 * types included: what stands in one layer knows nothing of the others there. The linter's rules are made from this list
 * (`oxlint.config.ts`).
 */
export const LAYERS: readonly (readonly string[])[] = [
  // Constants
  ["api-paths.ts", "languages.ts"],
  ["limits.ts"],
  // What knows no feature
  ["lib", "database"],
  ["context.ts", "safety", "visitor"],
  ["http", "outbox"],
  // Who may, how often, and what is recorded
  ["auth", "idempotency"],
  ["audit", "clicks", "grants", "rate-limit", "sessions"],
  ["guards", "redirect"],
  // Features
  ["health", "jobs", "outbound", "usage"],
  ["links"],
  ["analytics", "bulk", "click-ingest", "domains", "imports", "notes", "saved-views", "tags", "utm-templates"],
  ["qr"],
  ["deep-links", "people", "webhooks"],
  ["reports", "shared-pages"],
  ["account", "admin", "destinations", "keys", "listeners", "mail-reports", "teams"],
  ["exports", "mcp"],
  ["oauth"],
  ["job-kinds.ts"],
  // What the runtime calls
  ["app.ts"],
  ["account-purge", "objects.ts", "queue.ts", "retention"],
  ["api-hint.ts", "cron.ts"],
  ["index.ts"],
];
