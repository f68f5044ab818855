import { hostOf } from "../../platform/lib/host-of.ts";
import { unpackVerdict } from "../verdict.ts";
import type { RedirectEntry } from "./entry.ts";
import type { TakenDownHost, TakenDownHosts } from "./store/taken-down-hosts.ts";

/** The entry, blocked if one of its destinations is on one of the hosts. One that is blocked already keeps its reason. */
export function blockLinksTo(hosts: TakenDownHosts, entry: RedirectEntry): RedirectEntry {
  if (unpackVerdict(entry.verdict).state === "blocked") return entry;
  const { location, expiredLocation, targets } = entry;
  const others = targets === null ? [] : [...targets.rules, ...Object.values(targets.geo)];
  const urls = [location, expiredLocation ?? "", ...others.map((target) => target.location)];
  const found = urls.map((url) => coveringHost(hosts, hostOf(url))).find((host) => host !== undefined);
  return found === undefined ? entry : { ...entry, verdict: found.imposed };
}

/** The one that covers the host: itself or a domain above it; undefined: none. */
export function coveringHost(hosts: TakenDownHosts, host: string): TakenDownHost | undefined {
  if (hosts.size === 0) return undefined;
  for (let name = host; name !== ""; name = domainAbove(name)) {
    const found = hosts.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** '' above a top-level domain. */
function domainAbove(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
}
