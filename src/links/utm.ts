import type { Utm } from "./fields.ts";

/**
 * Sets the campaign in the query of the destination, as `utm_source` and so on. Parameters of the same name are replaced
 * in their place, others are appended. The rest of the text is unchanged.
 */
export function addUtm(destination: string, utm: Utm): string {
  const [, beforeQuery = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#[^]*)?$/.exec(destination) ?? [];
  const parameters = query?.split("&") ?? [];
  if (parameters.at(-1) === "") parameters.pop();
  let merged = parameters;
  for (const [name, value] of Object.entries(utm)) {
    if (value !== undefined) merged = setParameter(merged, `utm_${name}`, value);
  }
  return `${beforeQuery}?${merged.join("&")}${fragment}`;
}

function setParameter(parameters: readonly string[], name: string, value: string): string[] {
  const parameter = `${name}=${encodeURIComponent(value)}`;
  const first = parameters.findIndex((other) => nameOf(other) === name);
  if (first === -1) return [...parameters, parameter];
  const others = parameters.filter((other, index) => index <= first || nameOf(other) !== name);
  return others.with(first, parameter);
}

function nameOf(parameter: string): string {
  const name = parameter.split("=", 1)[0] ?? "";
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
