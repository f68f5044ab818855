import type { IncomingRequest } from "../request-url.ts";
import { addQuery, handedOn } from "./query-params.ts";
import { matchTarget, type LinkTargets, type Target } from "./rules.ts";
import { RequestVisitor } from "./visitor.ts";

/** The target for this visitor: one of the link's targets, else its `location`. It can be an app's URL. */
export function selectTarget(link: LinkTargets, request: Request, now: number): Target {
  return select(link, request, now, true);
}

/** The target for a browser without the app: always a web URL. */
export function selectWebTarget(link: LinkTargets, request: Request, now: number): Target {
  return select(link, request, now, false);
}

/** The URL of {@link selectWebTarget}, with the visitor's parameters. */
export function selectWebUrl(
  link: LinkTargets & { passParameters: boolean },
  incoming: IncomingRequest,
  now: number,
): string {
  return addQuery(selectWebTarget(link, incoming.request, now).location, handedOn(link, incoming));
}

function select(link: LinkTargets, request: Request, now: number, allowApps: boolean): Target {
  if (link.targets === null) return link;
  return matchTarget(link.targets, new RequestVisitor(request), now, allowApps) ?? link;
}
