// Lists alone: the dashboard has them, too.

export const DEVICES = ["desktop", "mobile", "tablet", "tv", "console", "other"] as const;
export const SYSTEMS = ["Android", "Chrome OS", "iOS", "Linux", "macOS", "Windows", "other"] as const;

export type Device = (typeof DEVICES)[number];
export type System = (typeof SYSTEMS)[number];
