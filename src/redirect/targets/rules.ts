import { mix32 } from "../../platform/lib/fnv1a.ts";
import type { Device, System } from "../../platform/visitor/kinds.ts";
import { isLanguage } from "./languages.ts";

// Matches a visitor with a link's targets. Pure. A request can select one of the link's own targets and nothing else.

/** One of the places that a link sends visitors to. */
export interface Target {
  /** In the form of a `Location` header: percent-encoded, international names in Punycode. */
  location: string;
  /** What clicks call it: the id of a rule, `ios`, `android` or `country`. The link's own destination has none. */
  name?: string;
  /** Set for an app's URL, which not every browser can open. */
  app?: true;
}

/** A compiled rule. It matches if every condition holds; a list holds if one of its values does. Stored as JSON. */
export interface Rule extends Target {
  startsAt?: number;
  /** Exclusive. */
  endsAt?: number;
  countries?: string[];
  regions?: string[];
  devices?: Device[];
  os?: System[];
  /** In lower case. */
  languages?: string[];
  /** Hosts. */
  referrers?: string[];
  share?: Share;
}

/** A percentage of the visitors: those whose fingerprint, mixed with `seed`, is below `below`. */
interface Share {
  seed: number;
  below: number;
}

/** The targets of a link in addition to its `url`. */
export interface CompiledTargets {
  /** The first rule that matches wins. */
  rules: Rule[];
  /** By country, for visitors that match no rule. */
  geo: Record<string, Target>;
  /** The approximate size in memory. */
  chars: number;
}

/** A link's own destination, and its other targets. */
export interface LinkTargets {
  /** In the form of {@link Target.location}. */
  location: string;
  /** Null: every visitor goes to `location`. */
  targets: CompiledTargets | null;
}

export interface Visitor {
  /** ISO 3166-1, or '' if unknown. */
  readonly country: string;
  /** ISO 3166-2, or '' if unknown. */
  readonly region: string;
  /** The most preferred language in lower case, or '' if unknown. */
  readonly language: string;
  readonly device: Device;
  readonly os: System;
  /** The host of the referring page, or '' if unknown. */
  readonly referrer: string;
  /** 32 bits that stay the same from request to request. */
  readonly fingerprint: number;
}

/** The target for the visitor, or null for the link's `url`. Without `allowApps`, apps' URLs are skipped. */
export function matchTarget(
  { rules, geo }: CompiledTargets,
  visitor: Visitor,
  now: number,
  allowApps: boolean,
): Target | null {
  for (const rule of rules) if ((allowApps || rule.app === undefined) && matches(rule, visitor, now)) return rule;
  const { country } = visitor;
  return Object.hasOwn(geo, country) ? (geo[country] ?? null) : null;
}

/** Cheap conditions come first. */
function matches(rule: Rule, visitor: Visitor, now: number): boolean {
  const { startsAt, endsAt, countries, regions, devices, os, languages, referrers, share } = rule;
  if (startsAt !== undefined && now < startsAt) return false;
  if (endsAt !== undefined && now >= endsAt) return false;
  if (countries !== undefined && !countries.includes(visitor.country)) return false;
  if (regions !== undefined && !regions.includes(visitor.region)) return false;
  if (os !== undefined && !os.includes(visitor.os)) return false;
  if (devices !== undefined && !devices.includes(visitor.device)) return false;
  if (languages !== undefined && !includesAny(languages, visitor.language, isLanguage)) return false;
  if (referrers !== undefined && !includesAny(referrers, visitor.referrer, isOnHost)) return false;
  return share === undefined || mix32(visitor.fingerprint ^ share.seed) < share.below;
}

function includesAny(wanted: string[], value: string, isWithin: (value: string, whole: string) => boolean): boolean {
  if (value === "") return false;
  for (const whole of wanted) if (isWithin(value, whole)) return true;
  return false;
}

const DOT = 46;

/** `news.example.com` is on `example.com`. */
function isOnHost(name: string, host: string): boolean {
  if (!name.endsWith(host)) return false;
  return name.length === host.length || name.charCodeAt(name.length - host.length - 1) === DOT;
}
