import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { log } from "../../platform/lib/log.ts";
import { memoize } from "../../platform/lib/memoize.ts";
import { MAX_KNOWN_TEXTS } from "../../limits.ts";
import type { CompiledTargets, Rule, Target } from "./rules.ts";

/** The columns with a link's targets. */
interface TargetColumns {
  id: string;
  ios: string | null;
  android: string | null;
  /** JSON. */
  geo: string | null;
  /** JSON. */
  rules: string | null;
}

/** A rule as it is stored. `links/fields.ts` validates it. */
interface StoredRule {
  id: string;
  url: string;
  startsAt?: number;
  endsAt?: number;
  percentage?: number;
}

/**
 * Compiles a link's targets for redirects, or returns null if it has only its `url`. `ios` and `android` become the last
 * rules. If the stored targets cannot be read, visitors go to `url`, so that a printed link never breaks.
 */
export function compileTargets({ id, ios, android, geo, rules }: TargetColumns): CompiledTargets | null {
  if (ios === null && android === null && geo === null && rules === null) return null;
  try {
    const all = (JSON.parse(rules ?? "[]") as StoredRule[]).map((rule) => compileRule(rule, id));
    if (ios !== null) all.push({ ...appTarget(ios), name: "ios", os: ["iOS"] });
    if (android !== null) all.push({ ...appTarget(android), name: "android", os: ["Android"] });
    const countries = Object.entries(JSON.parse(geo ?? "{}") as Record<string, string>);
    const targets = {
      rules: all,
      geo: Object.fromEntries(countries.map(([country, url]) => [country, { ...webTarget(url), name: "country" }])),
    };
    return { ...targets, chars: JSON.stringify(targets).length };
  } catch (error) {
    logUnreadable(`${id} ${error instanceof Error ? error.name : "unknown"}`);
    return null;
  }
}

/** Logs each link and kind of error once. The error's message is left out because it contains URLs. */
const logUnreadable = memoize(MAX_KNOWN_TEXTS, (fault) => {
  const [linkId, error] = fault.split(" ");
  log("error", "link_rules_unreadable", { linkId, error });
  return true;
});

const LISTS = ["countries", "regions", "devices", "os", "languages", "referrers"] as const;
const WHOLE = 2 ** 32;

function compileRule(stored: StoredRule, linkId: string): Rule {
  const { id, url, startsAt, endsAt, percentage } = stored;
  const rule: Rule = { ...webTarget(url), name: id, ...readLists(stored) };
  if (startsAt !== undefined) rule.startsAt = startsAt;
  if (endsAt !== undefined) rule.endsAt = endsAt;
  if (percentage !== undefined)
    rule.share = { seed: fnv1a(`${linkId} ${id}`), below: Math.round((percentage / 100) * WHOLE) };
  return rule;
}

function readLists(stored: object): Partial<Rule> {
  const lists: Record<string, string[]> = {};
  for (const name of LISTS) {
    const values = (stored as Record<string, unknown>)[name];
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw new TypeError(`${name} is not a list`);
    lists[name] = name === "languages" ? values.map((value) => String(value).toLowerCase()) : values.map(String);
  }
  return lists;
}

function webTarget(url: string): Target {
  const { href, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError("a target is not a web URL");
  return { location: href };
}

function appTarget(url: string): Target {
  const { href, protocol } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? { location: href } : { location: href, app: true };
}
