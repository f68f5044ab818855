import type { Incoming } from "../request-url.ts";
import type { RedirectEntry } from "../lookup/entry.ts";
import { chooseTarget, type Target } from "./rules.ts";
import { addQuery } from "./query-params.ts";
import { RequestVisitor } from "./visitor.ts";

/** Where this visitor of the link goes: one of its targets, else the link's own `location`. May be an address of an app. */
export function targetFor(entry: RedirectEntry, request: Request, now: number): Target {
  return choose(entry, request, now, true);
}

/** The same for a browser without the app, with the visitor's parameters: always a web address. */
export function webAddressFor(entry: RedirectEntry, { request, address }: Incoming, now: number): string {
  return addQuery(choose(entry, request, now, false).location, address.query);
}

function choose(entry: RedirectEntry, request: Request, now: number, apps: boolean): Target {
  if (entry.targets === null) return entry;
  return chooseTarget(entry.targets, new RequestVisitor(request), now, apps) ?? entry;
}
