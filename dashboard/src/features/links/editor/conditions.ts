import type { RuleDraft } from "./draft.ts";

/** The conditions of a rule, in the order in which they are offered. */
export const CONDITION_NAMES = [
  "countries",
  "regions",
  "languages",
  "devices",
  "os",
  "referrers",
  "percentage",
  "startsAt",
  "endsAt",
] as const;

export type ConditionName = (typeof CONDITION_NAMES)[number];

/** A condition that was added and has no value yet. */
export const EMPTY_CONDITIONS: Required<Pick<RuleDraft, ConditionName>> = {
  countries: [],
  regions: [],
  languages: [],
  devices: [],
  os: [],
  referrers: [],
  percentage: "",
  startsAt: null,
  endsAt: null,
};
