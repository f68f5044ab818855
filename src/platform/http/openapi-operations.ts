/** As much of an OpenAPI document as is read here. */
export interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, { tags?: string[] }>>;
  components: Record<string, Record<string, unknown>>;
}

/** The document without these operations, such as `get /api/account`, and without the tags and components that only they use. */
export function withoutOperations(document: Document, names: ReadonlySet<string>): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, methods]) => {
        const kept = Object.entries(methods).filter(([method]) => !names.has(`${method} ${path}`));
        return [path, Object.fromEntries(kept)] as const;
      })
      .filter(([, methods]) => Object.keys(methods).length > 0),
  );
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags = [] }) => tags)),
  );
  const tags = document.tags.filter(({ name }) => used.has(name));
  return withUsedComponents({ ...document, tags, paths });
}

function withUsedComponents(document: Document): Document {
  const { components, ...others } = document;
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref } = part as { $ref?: unknown };
    if (typeof $ref === "string" && !used.has($ref)) {
      used.add($ref);
      const [kind = "", name = ""] = $ref.split("/").slice(2);
      visit(components[kind]?.[name]);
    }
    Object.values(part).forEach(visit);
  };
  visit(others);
  const keep = (kind: string, members: Record<string, unknown>) =>
    Object.entries(members).filter(([name]) => kind === "securitySchemes" || used.has(`#/components/${kind}/${name}`));
  const kept = Object.entries(components).map(([kind, members]) => [kind, Object.fromEntries(keep(kind, members))]);
  return { ...document, components: Object.fromEntries(kept) as Document["components"] };
}
