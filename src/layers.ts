/**
 * Every folder and file of `src`, the lowest layer first. A module imports from its own folder and from lower layers only,
 * types included: what stands in one layer knows nothing of the others there. The files of the last layer also import each
 * other. The linter's rules are made from this list (`oxlint.config.ts`).
 */
export const LAYERS: readonly (readonly string[])[] = [
  // Bounds and units
  ["limits.ts"],
  // What knows no feature
  ["platform"],
  ["click-log", "jobs"],
  // Who may, and what visitors get
  ["access", "redirect"],
  // Features
  ["links"],
  ["clicks", "domains"],
  ["identity", "qr", "webhooks"],
  ["assistants", "moving", "safety"],
  // What the runtime calls
  ["api-hint.ts", "app.ts", "cron.ts", "index.ts", "no-safety.ts", "objects.ts", "queue.ts"],
];
