import { foldValue, type Filters } from "../../click-log/log/filters.ts";
import { DIMENSIONS, type Dimension, wordForUnknown } from "../../click-log/profile.ts";
import type { FilterQuery } from "./query-contract.ts";

export function toFilters(query: FilterQuery): Filters {
  const filters: Filters = {};
  for (const dimension of DIMENSIONS) {
    const given = query[dimension];
    if (given === undefined) continue;
    const values = given.map(({ isNot, value }) => ({ isNot, value: toStored(dimension, value) }));
    filters[dimension] = {
      is: values.flatMap(({ isNot, value }) => (isNot ? [] : [value])),
      isNot: values.flatMap(({ isNot, value }) => (isNot ? [value] : [])),
    };
  }
  return filters;
}

function toStored(dimension: Dimension, value: string): string {
  if (value.toLowerCase() === wordForUnknown(dimension)) return "";
  const isHost = dimension === "referrer" || dimension === "source";
  return foldValue(isHost ? toHost(value) : value);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Hosts are stored in Punycode and without a final dot. */
function toHost(value: string): string {
  const host = NOT_ASCII.test(value) ? (URL.parse(`https://${value}`)?.host ?? value) : value;
  return host.replace(/\.(?=$|:\d+$)/, "");
}
