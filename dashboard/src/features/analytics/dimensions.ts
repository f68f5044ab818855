import type { Clicks } from "../../api/types.ts";

// What clicks are counted by: the lists of the API's response, each with the parameter that filters by its values.

/** By list of values. */
const DIMENSIONS = {
  countries: "country",
  regions: "region",
  cities: "city",
  continents: "continent",
  sources: "source",
  referrers: "referrer",
  devices: "device",
  browsers: "browser",
  os: "os",
  triggers: "trigger",
  targets: "target",
  utmSources: "utmSource",
  utmMediums: "utmMedium",
  utmCampaigns: "utmCampaign",
  utmTerms: "utmTerm",
  utmContents: "utmContent",
} as const satisfies { [List in keyof Clicks]?: string };

export type Dimension = keyof typeof DIMENSIONS;
/** A list of values in the response. The links are one too, but only for several links. */
export type List = Dimension | "links";
export type FilterName = (typeof DIMENSIONS)[Dimension];

/** Parameters that select links of the account. They have no "is not". */
export const SELECTIONS = ["tag", "domain", "linkIds"] as const;
export type SelectionName = (typeof SELECTIONS)[number];

export type ParameterName = FilterName | SelectionName;

export const FILTERS: readonly FilterName[] = Object.values(DIMENSIONS);

export function isSelection(name: ParameterName): name is SelectionName {
  return (SELECTIONS as readonly string[]).includes(name);
}

/** The parameter for the values of a list. */
export function parameterOf(list: List): ParameterName {
  return list === "links" ? "linkIds" : DIMENSIONS[list];
}

/** The list that has the values of a filter. */
export function listOf(filter: FilterName): Dimension {
  return (Object.keys(DIMENSIONS) as Dimension[]).find((list) => DIMENSIONS[list] === filter) ?? "countries";
}
