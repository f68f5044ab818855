import { addUtm } from "#src/links/utm.ts";
import type { UtmTemplate } from "#dashboard/api/types.ts";

// No I/O: the campaign in the query of a destination, which stays as it was typed otherwise.

export type Utm = UtmTemplate["utm"];
export const UTM_NAMES = ["source", "medium", "campaign", "term", "content"] as const;
export type UtmName = (typeof UTM_NAMES)[number];

/** The parameters that the destination has. */
export function readUtm(url: string): Utm {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    UTM_NAMES.flatMap((name) => {
      const value = params.get(`utm_${name}`);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
}

/** Sets one parameter; an empty value removes it. */
export function writeUtm(url: string, name: UtmName, value: string): string {
  return value === "" ? removeUtm(url, name) : addUtm(url, { [name]: value });
}

/** Replaces all parameters by those of a template. */
export function applyUtm(url: string, utm: Utm): string {
  let result = url;
  for (const name of UTM_NAMES) result = writeUtm(result, name, utm[name] ?? "");
  return result;
}

function removeUtm(url: string, name: UtmName): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#[^]*)?$/.exec(url) ?? [];
  if (query === undefined) return url;
  const kept = query.split("&").filter((parameter) => parameter.split("=", 1)[0] !== `utm_${name}`);
  return `${before}${kept.length === 0 ? "" : `?${kept.join("&")}`}${fragment}`;
}
