import type { Device } from "../platform/visitor/kinds.ts";
import { DEFAULT_TARGET, readProfile } from "./profile.ts";

/** A single click as a ClickLog stores it. */
export interface StoredClick {
  id: string;
  linkId: string;
  /** Unix milliseconds. */
  clickedAt: number;
  profile: string;
}

/** The kinds of targets that a click can have led to. */
export const TARGET_KINDS = [DEFAULT_TARGET, "rule", "ios", "android", "country"] as const;
type TargetKind = (typeof TARGET_KINDS)[number];

/** A single click as the API lists it and as `link.click` reports it. Null is unknown. */
export interface ClickRecord {
  id: string;
  linkId: string;
  /** Unix milliseconds. */
  clickedAt: number;
  geo: { country: string | null; region: string | null; city: string | null; continent: string | null };
  device: Device;
  browser: string;
  os: string;
  /** A host. */
  referrer: string | null;
  /** The site of the referrer. */
  source: string | null;
  trigger: "link" | "qr";
  target: { kind: TargetKind; ruleId: string | null; url: string };
  /** The UTM values of the target's URL. */
  utm: Record<"source" | "medium" | "campaign" | "term" | "content", string | null>;
  bot: boolean;
}

export function toClickRecord({ id, linkId, clickedAt, profile }: StoredClick): ClickRecord {
  const values = readProfile(profile);
  return {
    id,
    linkId,
    clickedAt,
    geo: {
      country: values.country || null,
      region: values.region || null,
      city: values.city || null,
      continent: values.continent || null,
    },
    device: values.device as ClickRecord["device"],
    browser: values.browser,
    os: values.os,
    referrer: values.referrer || null,
    source: values.source || null,
    trigger: values.trigger as ClickRecord["trigger"],
    target: toTarget(values.target, values.targetUrl),
    utm: {
      source: values.utmSource || null,
      medium: values.utmMedium || null,
      campaign: values.utmCampaign || null,
      term: values.utmTerm || null,
      content: values.utmContent || null,
    },
    bot: values.bot,
  };
}

function toTarget(name: string, url: string): ClickRecord["target"] {
  const kind = TARGET_KINDS.find((known) => known === name);
  return kind === undefined ? { kind: "rule", ruleId: name, url } : { kind, ruleId: null, url };
}
