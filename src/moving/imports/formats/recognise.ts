import { toHeaderKey, type ImportField, type Mapping } from "./fields.ts";
import { FileError, type Layout } from "./file.ts";
import { hasColumns, KNOWN_NAMES, ownFieldsOf, RECOGNITIONS, SOURCE_NAMES, type Source } from "./sources.ts";

/** Which service a file comes from, by the names of its columns and the shape of its JSON. */
export function recogniseSource(columns: readonly string[], layout: Layout): Source {
  const keys = new Set(columns.map(toHeaderKey));
  const found = RECOGNITIONS.find(
    (recognition) =>
      (recognition.key === undefined || (layout.format === "array" && layout.key === recognition.key)) &&
      recognition.columns.some((names) => hasColumns(keys, names)),
  );
  return found?.source ?? "csv";
}

/** @throws {FileError} The file cannot be an export of the source. */
export function requireSource(source: Source, columns: readonly string[]): void {
  const recognition = RECOGNITIONS.find((candidate) => candidate.source === source);
  const keys = new Set(columns.map(toHeaderKey));
  if (recognition === undefined || recognition.columns.some((names) => hasColumns(keys, names))) return;
  const allowed = recognition.columns.map((names) => names.join(", "));
  throw new FileError("file_of_other_source", { value: SOURCE_NAMES[source], allowed });
}

/** The column of each field, as far as the source or the names of the columns tell. */
export function guessMapping(source: Source, columns: readonly string[]): Mapping {
  const mapping: Mapping = {};
  const own = ownFieldsOf(source);
  const byKey = new Map(columns.map((column) => [toHeaderKey(column), column]));
  for (const [key, field] of Object.entries(own)) {
    const column = byKey.get(key);
    if (column !== undefined && field !== null) mapping[field] = column;
  }
  for (const [field, names] of KNOWN_NAMES) {
    const name = names.find((candidate) => byKey.has(candidate) && own[candidate] === undefined);
    if (name !== undefined && mapping[field] === undefined) mapping[field] = byKey.get(name) as string;
  }
  return source === "bitly" ? withCustomLink(mapping, byKey) : mapping;
}

/** The custom link of Bitly is the short URL that was printed; the link without it still leads there. */
function withCustomLink(mapping: Mapping, byKey: ReadonlyMap<string, string>): Mapping {
  const [custom, link] = [byKey.get("customlink"), byKey.get("link")];
  return custom === undefined || link === undefined ? mapping : { ...mapping, shortUrl: custom, aliasUrl: link };
}

/** Where in a row each field is. */
export function fieldIndexes(columns: readonly string[], mapping: Mapping): Map<ImportField, number> {
  const entries = Object.entries(mapping) as [ImportField, string][];
  return new Map(entries.map(([field, column]) => [field, columns.indexOf(column)]));
}
