import { Plus, Trash2 } from "lucide-react";
import { formatCountry } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button, IconButton } from "#dashboard/ui/button.tsx";
import { InputField, SelectField } from "#dashboard/ui/field.tsx";
import { COUNTRY_CHOICES } from "./choices.ts";
import { newKey, type GeoDraft } from "./draft.ts";
import { useLinkForm } from "./form.ts";
import { MAX_GEO_TARGETS } from "#src/links/limits.ts";

const words = texts.editor.targeting;

/** Destinations by device and country. */
export function TargetingGroup() {
  const { draft, change, errorAt } = useLinkForm();
  return (
    <>
      <p className="text-sm text-soft">{words.lead}</p>
      {(["ios", "android"] as const).map((name) => (
        <InputField
          key={name}
          label={words[name]}
          hint={words.appHint}
          error={errorAt(name, words[name])}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          value={draft[name]}
          onValue={(value) => change({ [name]: value })}
        />
      ))}
      <GeoFields />
    </>
  );
}

function GeoFields() {
  const { draft, change, errorAt } = useLinkForm();
  const { geo } = draft;
  const replace = (index: number, patch: Partial<GeoDraft>) =>
    change({ geo: geo.map((entry, at) => (at === index ? { ...entry, ...patch } : entry)) });
  const general = errorAt("geo", words.geo);
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-1.5 font-semibold">{words.geo}</legend>
      {general !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {general}
        </p>
      )}
      {geo.map((entry, index) => (
        <div
          key={entry.key}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[12rem_minmax(0,1fr)_auto]"
        >
          <SelectField
            label={words.country(index + 1)}
            hideLabel
            className="max-sm:col-span-2"
            value={entry.country}
            onValue={(value) => replace(index, { country: value })}
          >
            <option value="">{words.chooseCountry}</option>
            {COUNTRY_CHOICES.filter(
              ({ value }) => value === entry.country || !geo.some(({ country }) => country === value),
            ).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <InputField
            label={words.countryUrl(index + 1)}
            hideLabel
            error={errorAt(`geo.${entry.country}`, formatCountry(entry.country) || words.geo)}
            inputMode="url"
            autoComplete="off"
            placeholder="https://example.com/de"
            value={entry.url}
            onValue={(value) => replace(index, { url: value })}
          />
          <IconButton
            label={words.removeCountry(entry.country === "" ? words.noCountry : formatCountry(entry.country))}
            icon={<Trash2 size={18} aria-hidden />}
            onClick={() => change({ geo: geo.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      {geo.length < MAX_GEO_TARGETS && (
        <div>
          <Button size="small" onClick={() => change({ geo: [...geo, { key: newKey(), country: "", url: "" }] })}>
            <Plus size={16} aria-hidden />
            {words.addCountry}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
