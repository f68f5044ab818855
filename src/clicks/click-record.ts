import type { Device } from "../visitor/client.ts";
import { readProfile } from "./profile.ts";

/** A single click as a ClickLog stores it. */
export interface StoredClick {
  id: string;
  linkId: string;
  /** Unix milliseconds. */
  clickedAt: number;
  profile: string;
}

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
  referrer: string | null;
  trigger: "link" | "qr";
  bot: boolean;
}

export function toClickRecord({ id, linkId, clickedAt, profile }: StoredClick): ClickRecord {
  const { country, region, city, continent, device, browser, os, referrer, trigger, bot } = readProfile(profile);
  return {
    id,
    linkId,
    clickedAt,
    geo: { country: country || null, region: region || null, city: city || null, continent: continent || null },
    device: device as ClickRecord["device"],
    browser,
    os,
    referrer: referrer || null,
    trigger: trigger as ClickRecord["trigger"],
    bot,
  };
}
