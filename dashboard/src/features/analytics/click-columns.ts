import { parseStored, readChoices, store, useStored } from "../../lib/storage.ts";
import type { ParameterName } from "./dimensions.ts";
import type { ClickRecord } from "./live-socket.ts";

// The columns of the single clicks besides their time: the values that filters have too.

/** What a click has for each filter; null is unknown. */
const VALUES = {
  linkIds: ({ linkId }) => linkId,
  country: ({ geo }) => geo.country,
  region: ({ geo }) => geo.region,
  city: ({ geo }) => geo.city,
  source: ({ source }) => source ?? "direct",
  referrer: ({ referrer }) => referrer ?? "direct",
  device: ({ device }) => device,
  browser: ({ browser }) => browser,
  os: ({ os }) => os,
  trigger: ({ trigger }) => trigger,
  target: ({ target }) => target.ruleId ?? target.kind,
  utmSource: ({ utm }) => utm.source ?? "none",
  utmMedium: ({ utm }) => utm.medium ?? "none",
  utmCampaign: ({ utm }) => utm.campaign ?? "none",
  utmTerm: ({ utm }) => utm.term ?? "none",
  utmContent: ({ utm }) => utm.content ?? "none",
} satisfies { [Name in ParameterName]?: (click: ClickRecord) => string | null };

export type ClickColumn = keyof typeof VALUES;

export const CHOSEN_CLICK_COLUMNS = Object.keys(VALUES) as ClickColumn[];
const DEFAULT: readonly ClickColumn[] = ["linkIds", "country", "city", "source", "device", "browser", "trigger"];

const NAME = "clicks-columns";

/** The columns that this browser shows. */
export function useClickColumns(): readonly ClickColumn[] {
  return readChoices(parseStored(useStored(NAME))["columns"], CHOSEN_CLICK_COLUMNS, DEFAULT);
}

export const storeClickColumns = (columns: readonly ClickColumn[]): void => store(NAME, JSON.stringify({ columns }));

/** The value of a click in a column, as the filter of its name has it. */
export const valueOf = (click: ClickRecord, column: ClickColumn): string => VALUES[column](click) ?? "unknown";
