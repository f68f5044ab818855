import { formatCountry } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import type { FilterName, ParameterName } from "./dimensions.ts";

const { values } = texts.analytics;

/** What is known of the links that values may name, by their ids. */
export interface KnownLinks {
  /** Without the scheme. */
  shortUrls: ReadonlyMap<string, string>;
  /** The ids of a link's rules in their order. */
  rules: readonly string[];
}

/** A value of a filter, as people read it. */
export function nameOfValue(name: ParameterName, value: string, known: KnownLinks): string {
  if (name === "linkIds") return known.shortUrls.get(value) ?? values.link(value);
  if (name === "tag" || name === "domain") return value;
  return valueName(name, value) ?? common(name, value) ?? targetName(name, value, known.rules) ?? value;
}

function valueName(name: FilterName, value: string): string | undefined {
  if (name === "country" && value.toUpperCase() === "T1") return values.tor;
  if (name === "country") return /^[a-z]{2}$/i.test(value) ? formatCountry(value.toUpperCase()) : undefined;
  if (name === "region") return regionName(value);
  const named: Partial<Record<FilterName, Record<string, string>>> = {
    continent: values.continents,
    device: values.devices,
    trigger: values.triggers,
    target: values.targets,
  };
  return named[name]?.[value];
}

/** "BE, Germany": the API has no names of regions. */
function regionName(value: string): string | undefined {
  const [, country, region] = /^([A-Z]{2})-(.+)$/.exec(value) ?? [];
  return country === undefined || region === undefined ? undefined : `${region}, ${formatCountry(country)}`;
}

function common(name: FilterName, value: string): string | undefined {
  if (value === "unknown") return values.unknown;
  if (value === "other") return values.other;
  if (value === "direct" && (name === "referrer" || name === "source")) return values.direct;
  return value === "none" && name.startsWith("utm") ? values.none : undefined;
}

function targetName(name: FilterName, value: string, rules: readonly string[]): string | undefined {
  if (name !== "target") return undefined;
  const index = rules.indexOf(value);
  return index === -1 ? values.otherRule(value.slice(0, 8)) : values.rule(index + 1);
}
