import { TAKEN_DOWN_HOSTS_TTL_MS } from "../limits.ts";
import { listTakenDownHosts, type TakenDownHost } from "./store/taken-down-hosts.ts";

/** The hosts that operators took down with their subdomains, by their names. */
export type TakenDownHosts = ReadonlyMap<string, TakenDownHost>;

let known: { hosts: TakenDownHosts; readAt: number } | null = null;

/** Those of the installation. They are kept in memory, so that not every new link reads them. */
export async function findTakenDownHosts({ env, now }: { env: Env; now: number }): Promise<TakenDownHosts> {
  if (known !== null && now >= known.readAt && now < known.readAt + TAKEN_DOWN_HOSTS_TTL_MS) return known.hosts;
  const hosts = new Map((await listTakenDownHosts(env.DB)).map((each) => [each.host, each]));
  known = { hosts, readAt: now };
  return hosts;
}

/** The next call reads them anew. */
export function forgetTakenDownHosts(): void {
  known = null;
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
