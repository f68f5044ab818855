interface Parameter {
  name: string;
  in?: string;
  description?: string;
  schema: { description?: string };
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[];
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { parameters?: Record<string, unknown> };
}

/**
 * Makes components of the parameters that several operations have. Of different parameters with the same name, the most
 * used one becomes a component.
 */
export function shareParameters<D extends Document>(document: D): D {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  for (const operation of operations)
    if (operation.parameters) operation.parameters = operation.parameters.map(describeOnce);
  const shared = findShared(operations.flatMap(({ parameters = [] }) => parameters));
  for (const operation of operations) {
    if (operation.parameters === undefined) continue;
    operation.parameters = operation.parameters.map((parameter) => {
      const name = [...shared].find(([, text]) => text === JSON.stringify(parameter))?.[0];
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  const components = Object.fromEntries([...shared].map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return {
    ...document,
    components: { ...document.components, parameters: { ...components, ...document.components?.parameters } },
  };
}

/** A parameter has the description of its schema, and a header its usual name. */
function describeOnce(parameter: Parameter | { $ref: string }): Parameter | { $ref: string } {
  if (!("schema" in parameter)) return parameter;
  const name = parameter.in === "header" ? toHeaderName(parameter.name) : parameter.name;
  const { description, ...schema } = parameter.schema;
  return { ...parameter, name, schema: description === parameter.description ? schema : parameter.schema };
}

/** As the documents write it, where contracts have lower case: `idempotency-key` becomes `Idempotency-Key`. */
function toHeaderName(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

/** The parameters to share, as JSON, by the names of their components. */
function findShared(parameters: readonly (Parameter | { $ref: string })[]): Map<string, string> {
  const uses = new Map<string, number>();
  for (const parameter of parameters) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared = new Map<string, string>();
  for (const [text, count] of [...uses].toSorted(([, a], [, b]) => b - a)) {
    const { name } = JSON.parse(text) as Partial<Parameter>;
    const component = name === undefined ? "" : toComponentName(name);
    if (count > 1 && component !== "" && !shared.has(component)) shared.set(component, text);
  }
  return shared;
}

/** `idempotency-key` becomes `IdempotencyKey`. */
function toComponentName(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
