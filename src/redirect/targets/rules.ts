import { mix32 } from "../../lib/fnv1a.ts";
import type { Device, System } from "../../visitor/client.ts";

/** Which of a link's targets a visitor gets. Pure; a request chooses among the link's own targets and adds none. */

export interface Target {
  /** Percent-encoded, as a header can hold it. */
  location: string;
  /** Set where it is an address of an app, which not every browser can open. */
  app?: true;
}

/** A rule made ready. All conditions must hold, of a list one value. Everything here survives JSON. */
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

/** Some of the visitors: those whose marks, mixed with the rule's own number, are below a number. */
interface Share {
  seed: number;
  below: number;
}

/** Where a link leads besides its `url`. */
export interface Targets {
  /** The first that fits decides. */
  rules: Rule[];
  /** By country, for whom no rule fits. */
  geo: Record<string, Target>;
  /** About how much memory it takes. */
  chars: number;
}

export interface Visitor {
  /** ISO 3166-1; '' where it is not known, like the others. */
  readonly country: string;
  /** ISO 3166-2. */
  readonly region: string;
  /** The most preferred, in lower case. */
  readonly language: string;
  readonly device: Device;
  readonly os: System;
  /** The host that the visitor came from. */
  readonly referrer: string;
  /** 32 bits that stay the same from visit to visit. */
  readonly mark: number;
}

/** The target for the visitor, or null for the link's `url`. `apps`: whether addresses of apps are among the targets. */
export function chooseTarget({ rules, geo }: Targets, visitor: Visitor, now: number, apps: boolean): Target | null {
  for (const rule of rules) if ((apps || rule.app === undefined) && fits(rule, visitor, now)) return rule;
  const { country } = visitor;
  return Object.hasOwn(geo, country) ? (geo[country] ?? null) : null;
}

/** What is cheap to ask comes first. */
function fits(rule: Rule, visitor: Visitor, now: number): boolean {
  const { startsAt, endsAt, countries, regions, devices, os, languages, referrers, share } = rule;
  if (startsAt !== undefined && now < startsAt) return false;
  if (endsAt !== undefined && now >= endsAt) return false;
  if (countries !== undefined && !countries.includes(visitor.country)) return false;
  if (regions !== undefined && !regions.includes(visitor.region)) return false;
  if (os !== undefined && !os.includes(visitor.os)) return false;
  if (devices !== undefined && !devices.includes(visitor.device)) return false;
  if (languages !== undefined && !isAmong(languages, visitor.language, isOfLanguage)) return false;
  if (referrers !== undefined && !isAmong(referrers, visitor.referrer, isOnHost)) return false;
  return share === undefined || mix32(visitor.mark ^ share.seed) < share.below;
}

function isAmong(values: string[], value: string, isOf: (value: string, whole: string) => boolean): boolean {
  if (value === "") return false;
  for (const whole of values) if (isOf(value, whole)) return true;
  return false;
}

const DASH = 45;
const DOT = 46;

/** `de-at` is `de`. */
function isOfLanguage(tag: string, language: string): boolean {
  return tag.startsWith(language) && (tag.length === language.length || tag.charCodeAt(language.length) === DASH);
}

/** `news.example.com` is on `example.com`. */
function isOnHost(name: string, host: string): boolean {
  if (!name.endsWith(host)) return false;
  return name.length === host.length || name.charCodeAt(name.length - host.length - 1) === DOT;
}
