interface Component {
  type?: unknown;
  description?: string;
}
interface Document {
  components?: { schemas?: Record<string, Component> };
}

/**
 * Corrects how a generated document uses components. zod-to-openapi makes a component nullable if its first use is, and
 * combines a use that differs from the component with it, so that nothing matches both. Here components are never null;
 * a use that may be null is `anyOf` the component and null. Descriptions of a use stand beside its `$ref`.
 */
export function correctUses<D extends Document>(document: D): D {
  const components = new Map<string, Component>();
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    components.set(`#/components/schemas/${name}`, schema);
  const corrected = correct(document, components) as D;
  for (const schema of Object.values(corrected.components?.schemas ?? {})) {
    if (isNullable(schema.type)) schema.type = withoutNull(schema.type);
  }
  return corrected;
}

function correct(part: unknown, components: ReadonlyMap<string, Component>): unknown {
  if (Array.isArray(part)) return part.map((item) => correct(item, components));
  if (typeof part !== "object" || part === null) return part;
  const use = toUse(part);
  if (use === null) {
    // Generators of types take a field with a default for one that is always given.
    const entries = Object.entries(part).filter(([key, value]) => key !== "default" || value !== null);
    return Object.fromEntries(entries.map(([key, value]) => [key, correct(value, components)]));
  }
  const { $ref, type, ...metadata } = use;
  const component = components.get($ref);
  if (metadata.description === component?.description) delete metadata.description;
  const mayBeNull = isNullable(type ?? component?.type);
  // `anyOf` has no description of its own, and generators of types show none then.
  if (mayBeNull) metadata.description ??= [component?.description, "null: there is none."].filter(Boolean).join(" ");
  return mayBeNull ? { anyOf: [{ $ref }, { type: "null" }], ...metadata } : { $ref, ...metadata };
}

/** A component with the type and the metadata that it has in this place. */
interface Use extends Component {
  $ref: string;
}

function toUse(part: object): Use | null {
  if ("$ref" in part) return part as Use;
  const [component, metadata, ...others] = ("allOf" in part ? part.allOf : []) as object[];
  if (component === undefined || metadata === undefined || others.length > 0 || !("$ref" in component)) return null;
  return "properties" in metadata ? null : ({ ...metadata, ...component } as Use);
}

function isNullable(type: unknown): boolean {
  return Array.isArray(type) && type.includes("null");
}

function withoutNull(type: unknown): unknown {
  const types = [type].flat().filter((name) => name !== "null");
  return types.length === 1 ? types[0] : types;
}
