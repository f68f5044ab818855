interface Bounded {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export const docs = {
  allPages: "All pages",
  asMarkdown: "This page as Markdown",
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
  copied: "Copied",
  copy: "Copy",
  copySample: "Copy the sample",
  dashboard: "Dashboard",
  eventBody: "Body of the delivery",
  exampleOf: (name: string) => `Example: ${name}`,
  fields: (name: string) => `Fields of ${name}`,
  examplesKey: "The examples read an API key from the variable KEY.",
  found: (count: number, shown: number) => {
    if (count === 0) return "No page has all of these words.";
    if (count > shown) return `The best ${shown} of ${count} results.`;
    return count === 1 ? "1 result." : `${count} results.`;
  },
  guides: "Docs",
  key: "The samples read an API key from the variable `KEY`.",
  makeKeyIn: (dashboard: string) => `Make one in the [dashboard](${dashboard}/settings/keys).`,
  language: "Language of the samples",
  listOf: (type: string) => `list of ${type}`,
  makeKey: "Make a key",
  nothing: "Nothing matches. Search for a path, such as links, or for a word of the description.",
  parameters: { path: "Path", query: "Query", header: "Headers" },
  required: "required",
  response: (status: string) => `Response ${status}`,
  responseFields: "Fields of the response",
  responses: "Responses",
  sample: (operation: string) => `Sample: ${operation}`,
  reference: "API reference",
  results: "Search results",
  search: "Search the reference",
  searchFailed: "The search could not be loaded. Check your connection, and type again.",
  searchPages: "Search the documents",
  skip: "Skip to the page",
  title: "API reference",
  yourKey: (name: string, lastFour: string) =>
    `The examples read an API key from the variable KEY, such as yours: ${name} (…${lastFour}).`,
};

function range(least: number | undefined, most: number | undefined, unit: string): string {
  // Bounds of integers that say nothing.
  const max = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  const min = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}.`;
  if (max !== undefined) return `At most ${max}${unit}.`;
  return min === undefined || (min === 0 && unit !== "") ? "" : `At least ${min}${unit}.`;
}
