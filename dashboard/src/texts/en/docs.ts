interface Bounded {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export const docs = {
  body: (type: string) => `Body (${type})`,
  /** The bounds of a value as a sentence; empty without any. */
  bounds: (value: Bounded) =>
    [
      range(value.minimum, value.maximum, ""),
      range(value.minLength, value.maxLength, " characters"),
      range(value.minItems, value.maxItems, " elements"),
    ]
      .filter(Boolean)
      .join(" "),
  contents: "Operations",
  copySample: "Copy the sample",
  dashboard: "Dashboard",
  eventBody: "Body of the delivery",
  exampleOf: (name: string) => `Example: ${name}`,
  fields: (name: string) => `Fields of ${name}`,
  key: "The samples read an API key from the variable `KEY`. Make one in the [dashboard](/app/settings/keys).",
  language: "Language of the samples",
  listOf: (type: string) => `list of ${type}`,
  nothing: "Nothing matches. Search for a path, such as links, or for a word of the description.",
  parameters: { path: "Path", query: "Query", header: "Headers" },
  required: "required",
  response: (status: string) => `Response ${status}`,
  responseFields: "Fields of the response",
  responses: "Responses",
  sample: (operation: string) => `Sample: ${operation}`,
  search: "Search the reference",
  title: "API reference",
};

function range(least: number | undefined, most: number | undefined, unit: string): string {
  // Bounds of integers that say nothing.
  const max = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  const min = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}.`;
  if (max !== undefined) return `At most ${max}${unit}.`;
  return min === undefined || (min === 0 && unit !== "") ? "" : `At least ${min}${unit}.`;
}
