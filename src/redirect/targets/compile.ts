import { fnv1a } from "../../lib/fnv1a.ts";
import { log } from "../../lib/log.ts";
import { memoize } from "../../lib/memoize.ts";
import { MAX_KNOWN_TEXTS } from "../../limits.ts";
import type { Rule, Target, Targets } from "./rules.ts";

interface Stored {
  id: string;
  ios: string | null;
  android: string | null;
  /** JSON, like the one after it. */
  geo: string | null;
  rules: string | null;
}

/** What a rule looks like where it is stored; `links/fields.ts` has put it into this form. */
interface StoredRule {
  url: string;
  startsAt?: number;
  endsAt?: number;
  percentage?: number;
}

/**
 * A link's targets made ready for redirects, null where it has but its `url`. `ios` and `android` are rules after the
 * others. What cannot be read leaves visitors the `url`: a printed link never breaks.
 */
export function compileTargets({ id, ios, android, geo, rules }: Stored): Targets | null {
  if (ios === null && android === null && geo === null && rules === null) return null;
  try {
    const all = (JSON.parse(rules ?? "[]") as StoredRule[]).map((rule, place) => compileRule(rule, `${id} ${place}`));
    if (ios !== null) all.push({ ...appTarget(ios), os: ["iOS"] });
    if (android !== null) all.push({ ...appTarget(android), os: ["Android"] });
    const countries = Object.entries(JSON.parse(geo ?? "{}") as Record<string, string>);
    const targets = {
      rules: all,
      geo: Object.fromEntries(countries.map(([country, url]) => [country, webTarget(url)])),
    };
    return { ...targets, chars: JSON.stringify(targets).length };
  } catch (error) {
    report(`${id} ${error instanceof Error ? error.name : "unknown"}`);
    return null;
  }
}

/** Once for a link and kind of fault, of which the message would hold addresses. */
const report = memoize(MAX_KNOWN_TEXTS, (fault) => {
  const [linkId, error] = fault.split(" ");
  log("error", "link_rules_unreadable", { linkId, error });
  return true;
});

const LISTS = ["countries", "regions", "devices", "os", "languages", "referrers"] as const;
const WHOLE = 2 ** 32;

function compileRule(stored: StoredRule, place: string): Rule {
  const { url, startsAt, endsAt, percentage } = stored;
  const rule: Rule = { ...webTarget(url), ...listsOf(stored) };
  if (startsAt !== undefined) rule.startsAt = startsAt;
  if (endsAt !== undefined) rule.endsAt = endsAt;
  if (percentage !== undefined) rule.share = { seed: fnv1a(place), below: Math.round((percentage / 100) * WHOLE) };
  return rule;
}

function listsOf(stored: object): Partial<Rule> {
  const lists: Record<string, string[]> = {};
  for (const name of LISTS) {
    const values = (stored as Record<string, unknown>)[name];
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw new TypeError(`${name} is no list`);
    lists[name] = name === "languages" ? values.map((value) => String(value).toLowerCase()) : values.map(String);
  }
  return lists;
}

function webTarget(url: string): Target {
  const { href, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError("a target is no web address");
  return { location: href };
}

function appTarget(url: string): Target {
  const { href, protocol } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? { location: href } : { location: href, app: true };
}
