import type { Import } from "#dashboard/api/types.ts";
import type { texts } from "#dashboard/texts/index.ts";

type Kind = Import["problems"][number]["kind"];
export type Effect = keyof typeof texts.importing.problems.effects;

const ALWAYS: Partial<Record<Kind, Effect>> = {
  invalid_url: "out",
  invalid_slug: "out",
  invalid: "out",
  unknown_word: "out",
  taken_in: "out",
  repeated_key: "out",
  pattern: "skipped",
  new_tag: "created",
};

/** What happens to the links that have a problem, as it is chosen. */
export function effectOf(kind: Kind, { taken, dead, domains }: Pick<Import, "taken" | "dead" | "domains">): Effect {
  if (kind === "taken" || kind === "repeated" || kind === "differs_in_case")
    return taken === "skip" ? "skipped" : "renamed";
  if (kind === "dead") return dead === "skip" ? "skipped" : "disabled";
  if (kind === "foreign_domain") return skipsAll(domains) ? "skipped" : "moved";
  return ALWAYS[kind] ?? "changed";
}

/** Whether no links of other domains come along. */
function skipsAll(domains: Import["domains"]): boolean {
  return domains === "skip";
}
