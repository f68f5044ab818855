import { texts } from "../texts/index.ts";
import { refName, resolve, type ApiDocument, type Schema } from "./document.ts";
import { Code, Prose } from "./prose.tsx";

/** The fields of an object, of the objects of a list, or the kinds that a value can have. */
export function SchemaView({ api, schema, level = 0 }: { api: ApiDocument; schema: Schema; level?: number }) {
  const resolved = unwrap(api, schema);
  const kinds = resolved.anyOf ?? resolved.oneOf;
  if (kinds !== undefined)
    return (
      <ul className="grid gap-3">
        {kinds.map((kind, index) => (
          <li key={index} className="rounded-control border border-line p-3">
            <p className="mb-1 text-sm text-soft">{typeText(api, kind)}</p>
            <SchemaView api={api} schema={kind} level={level + 1} />
          </li>
        ))}
      </ul>
    );
  if (resolved.properties === undefined) return <Prose text={resolved.description} className="text-soft" />;
  return (
    <dl className="divide-y divide-line">
      {Object.entries(resolved.properties).map(([name, property]) => (
        <Field
          key={name}
          api={api}
          name={name}
          schema={property}
          required={resolved.required?.includes(name) === true}
          level={level}
        />
      ))}
    </dl>
  );
}

interface FieldProps {
  api: ApiDocument;
  name: string;
  schema: Schema;
  required: boolean;
  description?: string | undefined;
  level?: number;
}

/** A field of a body, or a parameter. */
export function Field({ api, name, schema, required, description, level = 0 }: FieldProps) {
  const resolved = resolve(api, schema);
  const inner = unwrap(api, schema);
  const hasFields =
    inner.properties !== undefined || (inner.anyOf ?? inner.oneOf)?.some((each) => unwrap(api, each).properties);
  return (
    <div className="py-2.5">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono text-sm font-semibold">{name}</code>
        <span className="text-sm text-soft">{typeText(api, schema)}</span>
        {required && <span className="text-xs font-semibold text-beak">{texts.docs.required}</span>}
      </dt>
      <dd className="mt-0.5 text-sm">
        <Prose text={description ?? resolved.description} className="max-w-prose text-soft" />
        <Bounds schema={resolved} />
        {hasFields === true && (
          <details className="mt-1.5 rounded-control border border-line px-3 py-2">
            <summary className="font-semibold">{texts.docs.fields(refName(schema) ?? name)}</summary>
            <SchemaView api={api} schema={schema} level={level + 1} />
          </details>
        )}
      </dd>
    </div>
  );
}

function Bounds({ schema }: { schema: Schema }) {
  const values = schema.enum ?? schema.items?.enum;
  const bounds = texts.docs.bounds(schema);
  return (
    <>
      {values !== undefined && (
        <p className="mt-0.5 flex flex-wrap gap-1">
          {values.map((value) => (
            <Code key={String(value)}>{String(value)}</Code>
          ))}
        </p>
      )}
      {bounds !== "" && <p className="mt-0.5 text-soft">{bounds}</p>}
    </>
  );
}

/** The value itself, or that of a list's elements; without null. */
function unwrap(api: ApiDocument, schema: Schema): Schema {
  const resolved = resolve(api, schema);
  if (resolved.items !== undefined) return unwrap(api, resolved.items);
  const kinds = (resolved.anyOf ?? resolved.oneOf)?.filter((each) => resolve(api, each).type !== "null");
  const [only] = kinds ?? [];
  return kinds?.length === 1 && only !== undefined ? unwrap(api, only) : resolved;
}

function typeText(api: ApiDocument, schema: Schema): string {
  const resolved = resolve(api, schema);
  if (resolved.items !== undefined) return texts.docs.listOf(typeText(api, resolved.items));
  const kinds = resolved.anyOf ?? resolved.oneOf;
  if (kinds !== undefined) return kinds.map((each) => typeText(api, each)).join(" | ");
  const type = Array.isArray(resolved.type) ? resolved.type.join(" | ") : (resolved.type ?? "");
  const name = refName(schema);
  if (name !== undefined && resolved.type === "object") return name;
  return resolved.format === undefined ? type : `${type} (${resolved.format})`;
}
