import { Info } from "lucide-react";
import { useId } from "react";
import { SOURCE_NAMES, SOURCES } from "#src/moving/imports/formats/sources.ts";
import type { Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";

type Source = Import["source"];

const CHOICES: readonly Source[] = ["auto", ...SOURCES];

function nameOf(source: Source): string {
  if (source === "auto" || source === "csv") return texts.importing.source[source];
  return SOURCE_NAMES[source];
}

/** The service that the links come from, with where its export is found. */
export function SourceChooser({ value, onChange }: { value: Source; onChange: (source: Source) => void }) {
  const name = useId();
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="mb-2 font-semibold">{texts.importing.source.label}</legend>
        <div className="flex flex-wrap gap-2">
          {CHOICES.map((source) => (
            <label
              key={source}
              className="cursor-pointer rounded-full border border-control/60 px-3 py-1 text-sm font-semibold text-soft transition-colors hover:border-control has-checked:border-accent has-checked:bg-wash has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={source === value}
                onChange={() => onChange(source)}
              />
              {nameOf(source)}
            </label>
          ))}
        </div>
      </fieldset>
      <Guide source={value} />
    </>
  );
}

function Guide({ source }: { source: Source }) {
  const guide = texts.importing.guides[source];
  const missing = "missing" in guide ? guide.missing : undefined;
  return (
    <div className="mt-4 border-s-2 border-line ps-4" aria-live="polite">
      <p className="text-sm font-semibold">{texts.importing.source.guide}</p>
      <ol className="mt-1 list-decimal ps-4 text-sm text-soft marker:tabular">
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {missing !== undefined && <p className="mt-1 text-sm text-soft">{texts.importing.source.missing(missing)}</p>}
      {guide.note !== undefined && (
        <p className="mt-2 flex gap-2 text-sm text-soft">
          <Info size={16} className="mt-0.5 shrink-0 text-accent" aria-hidden />
          {guide.note}
        </p>
      )}
    </div>
  );
}
