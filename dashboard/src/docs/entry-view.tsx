import { useState } from "react";
import { cx } from "../lib/class-names.ts";
import { texts } from "../texts/index.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Segments } from "../ui/field.tsx";
import { exampleOf, resolve, type ApiDocument, type Entry } from "./document.ts";
import { Prose } from "./prose.tsx";
import { SAMPLE_LANGUAGES, sampleOf, type Language } from "./samples.ts";
import { Field, SchemaView } from "./schema-view.tsx";

const METHOD_COLORS: Record<string, string> = {
  GET: "text-accent",
  POST: "text-good",
  PUT: "text-warn",
  PATCH: "text-warn",
  DELETE: "text-bad",
  EVENT: "text-beak",
};

export function Method({ method }: { method: string }) {
  return <span className={cx("font-mono text-xs font-bold", METHOD_COLORS[method])}>{method}</span>;
}

interface EntryViewProps {
  api: ApiDocument;
  entry: Entry;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** An operation: what it takes and answers on the left, samples on the right. */
export function EntryView({ api, entry, language, onLanguage }: EntryViewProps) {
  const { id, method, path, operation } = entry;
  const parameters = (operation.parameters ?? []).map((each) => resolve(api, each));
  const body = operation.requestBody?.content;
  return (
    <article id={id} className="scroll-mt-6 border-t border-line py-8">
      <h3 className="text-lg font-bold">
        <a href={`#${id}`} className="hover:underline">
          {operation.summary}
        </a>
      </h3>
      <p className="mt-1 flex items-center gap-2">
        <Method method={method} />
        <code className="min-w-0 font-mono text-sm break-all">{path}</code>
      </p>
      <div className="mt-3 grid gap-8 xl:grid-cols-2">
        <div className="min-w-0">
          <Prose text={operation.description} className="max-w-prose" />
          {(["path", "query", "header"] as const).map((place) => {
            const own = parameters.filter((each) => each.in === place);
            return (
              own.length > 0 && (
                <Part key={place} title={texts.docs.parameters[place]}>
                  <dl className="divide-y divide-line">
                    {own.map(({ name, schema, required, description }) => (
                      <Field
                        key={name}
                        api={api}
                        name={name}
                        schema={schema}
                        required={required === true}
                        description={description}
                      />
                    ))}
                  </dl>
                </Part>
              )
            );
          })}
          {Object.entries(body ?? {}).map(([type, { schema }]) => (
            <Part key={type} title={texts.docs.body(type)}>
              {schema !== undefined && <SchemaView api={api} schema={schema} />}
            </Part>
          ))}
          <Responses api={api} entry={entry} />
        </div>
        <div className="min-w-0">
          {method !== "EVENT" && <Samples api={api} entry={entry} language={language} onLanguage={onLanguage} />}
          <Example api={api} entry={entry} />
        </div>
      </div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="mt-5">
      <h4 className="text-sm font-bold">{title}</h4>
      {children}
    </section>
  );
}

function Responses({ api, entry }: { api: ApiDocument; entry: Entry }) {
  return (
    <Part title={texts.docs.responses}>
      <ul className="divide-y divide-line">
        {Object.entries(entry.operation.responses).map(([status, given]) => {
          const response = resolve(api, given);
          const schema = status.startsWith("2") ? response.content?.["application/json"]?.schema : undefined;
          return (
            <li key={status} className="py-2 text-sm">
              <div className="flex gap-3">
                <code className={cx("font-mono font-semibold", status.startsWith("2") ? "text-good" : "text-soft")}>
                  {status}
                </code>
                <Prose text={response.description} className="text-soft" />
              </div>
              {schema !== undefined && (
                <details className="mt-1.5 rounded-control border border-line px-3 py-2">
                  <summary className="font-semibold">{texts.docs.responseFields}</summary>
                  <SchemaView api={api} schema={schema} />
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function Samples({ api, entry, language, onLanguage }: EntryViewProps) {
  const [id] = useState(() => `sample-${entry.id}`);
  const sample = sampleOf(api, entry, language);
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-surface" aria-labelledby={id}>
      <figcaption id={id} className="flex items-center justify-between gap-2 border-b border-line px-3 py-2">
        <Segments
          label={texts.docs.language}
          value={language}
          options={SAMPLE_LANGUAGES.map((value) => ({ value, label: value }))}
          onChange={onLanguage}
        />
        <CopyButton text={sample} label={texts.docs.copySample} />
      </figcaption>
      <Pre text={sample} label={texts.docs.sample(entry.operation.summary)} />
    </figure>
  );
}

function Example({ api, entry }: { api: ApiDocument; entry: Entry }) {
  const { operation, method } = entry;
  const [status, given] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
  const content =
    method === "EVENT"
      ? operation.requestBody?.content?.["application/json"]
      : given === undefined
        ? undefined
        : resolve(api, given).content?.["application/json"];
  if (content?.schema === undefined) return null;
  const example = JSON.stringify(content.example ?? exampleOf(api, content.schema), null, 2);
  return (
    <figure className="mt-4 overflow-hidden rounded-card border border-line bg-surface">
      <figcaption className="border-b border-line px-3 py-2 text-sm text-soft">
        {method === "EVENT" ? texts.docs.eventBody : texts.docs.response(status ?? "")}
      </figcaption>
      <Pre text={example} label={texts.docs.exampleOf(operation.summary)} />
    </figure>
  );
}

/** Scrolls by keyboard too. */
function Pre({ text, label }: { text: string; label: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      role="region"
      className="max-h-96 overflow-auto p-3 font-mono text-[0.8rem] leading-relaxed"
    >
      {text}
    </pre>
  );
}
