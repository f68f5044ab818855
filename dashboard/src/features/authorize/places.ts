import { isLoopbackName } from "#src/platform/lib/hosts.ts";
import { texts } from "../../texts/index.ts";
import { isWebsite } from "./leave.ts";
import type { AppRequest } from "./queries.ts";

/** The place where an app gets the answer, in words. */
export function placeOf({ host, scheme, isLoopback }: AppRequest["redirect"]): string {
  const { thisDevice, scheme: opener } = texts.authorize.facts;
  if (isLoopback) return thisDevice;
  return isWebsite(`${scheme}:`) ? host : opener(scheme);
}

/** As {@link placeOf}, of a URL. */
export function placeOfUri(uri: string): string {
  const { facts } = texts.authorize;
  const url = URL.parse(uri);
  if (url === null) return "";
  if (isWebsite(uri) && isLoopbackName(url.hostname)) return facts.thisDevice;
  return isWebsite(uri) ? url.host : facts.scheme(url.protocol.slice(0, -1));
}
