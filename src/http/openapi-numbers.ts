/** Members of a schema that hold values, not schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"]);

/**
 * Says how large the numbers of a generated document can be, because generators of typed clients take 32 bits otherwise: every
 * integer is an `int64`, which times in milliseconds need, and every other number a `double`.
 */
export function sizeNumbers<D extends object>(document: D): D {
  return size(document) as D;
}

function size(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(size);
  if (typeof part !== "object" || part === null) return part;
  const sized = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, VALUES.has(key) ? value : size(value)]),
  );
  const types = "type" in part ? [part.type].flat() : [];
  if (types.includes("integer")) return { ...sized, format: "int64" };
  return types.includes("number") ? { ...sized, format: "double" } : sized;
}
