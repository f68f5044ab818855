import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import { MAX_BRAND_NAME_CHARS } from "#src/domains/limits.ts";
import { COLOUR, normaliseColour } from "#src/platform/lib/colour.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Field, Input, InputField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { SaveForm } from "../save-form.tsx";
import { UrlField } from "./add-dialog.tsx";
import { BrandPreview } from "./brand-preview.tsx";
import { updateDomain } from "./queries.ts";

const FIELDS = ["brandName", "brandLogo", "brandColor"] as const;
const words = texts.domains.brand;

type Draft = Record<(typeof FIELDS)[number], string>;

/** Whose pages visitors of the domain's links see. */
export function BrandSettings({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const [draft, setDraft] = useState(draftOf(domain));
  const saved = draftOf(domain);
  const isChanged = FIELDS.some((field) => draft[field].trim() !== saved[field]);
  const save = useMutation({
    mutationFn: async () => {
      // The service answers with the colour and the URL in their usual form.
      setDraft(draftOf(await updateDomain(domain.id, changesOf(draft))));
      showChange(words.saved, async () => setDraft(draftOf(await updateDomain(domain.id, changesOf(saved)))));
    },
  });
  const field = (name: keyof Draft) => ({
    value: draft[name],
    error: fieldError(save.error, name),
    disabled: !mayChange,
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  });
  const hasFieldError = FIELDS.some((name) => fieldError(save.error, name) !== undefined);
  return (
    <SaveForm
      title={words.title}
      lead={words.lead}
      save={save}
      error={hasFieldError ? null : save.error}
      isChanged={isChanged}
      maySave={mayChange}
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        <div className="grid grid-cols-1 content-start gap-4">
          <NameField {...field("brandName")} />
          <UrlField label={words.logo} hint={words.logoHint} {...field("brandLogo")} />
          <ColourField {...field("brandColor")} />
        </div>
        <BrandPreview domain={domain} name={draft.brandName} logo={draft.brandLogo} colour={draft.brandColor} />
      </div>
    </SaveForm>
  );
}

interface BrandFieldProps {
  value: string;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: string) => void;
}

function NameField({ value, error, disabled, onChange }: BrandFieldProps) {
  return (
    <InputField
      label={words.name}
      hint={words.nameHint(formatCount(MAX_BRAND_NAME_CHARS))}
      error={error}
      autoComplete="off"
      disabled={disabled}
      value={value}
      onValue={onChange}
    />
  );
}

/** The colour as text, which may be empty, and the browser's own choice of colours. */
function ColourField({ value, error, disabled, onChange }: BrandFieldProps) {
  const text = value.trim();
  return (
    <Field label={words.colour} hint={words.colourHint} error={error}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={words.chooseColour}
            className="h-10 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1 disabled:opacity-60"
            disabled={disabled}
            value={COLOUR.test(text) ? normaliseColour(text) : "#000000"}
            onChange={(event) => onChange(event.target.value)}
          />
          <Input
            {...control}
            className="tabular font-mono"
            spellCheck={false}
            autoComplete="off"
            placeholder="#rrggbb"
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

function draftOf({ brandName, brandLogo, brandColor }: Domain): Draft {
  return { brandName: brandName ?? "", brandLogo: brandLogo ?? "", brandColor: brandColor ?? "" };
}

function changesOf({ brandName, brandLogo, brandColor }: Draft) {
  return { brandName: valueOf(brandName), brandLogo: valueOf(brandLogo), brandColor: valueOf(brandColor) };
}

const valueOf = (text: string): string | null => (text.trim() === "" ? null : text.trim());
