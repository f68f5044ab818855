import { useState } from "react";
import { timeZones } from "#dashboard/lib/time-zone.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Field, Input, InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { MomentInput } from "#dashboard/ui/moment-input.tsx";
import { useLinkForm } from "./form.ts";
import { MAX_MAX_CLICKS } from "#src/links/limits.ts";

const DAY_MS = 86_400_000;
const PRESETS = [
  ["day", 1],
  ["week", 7],
  ["month", 30],
  ["year", 365],
] as const;

export function ExpiryGroup() {
  const { draft, change, errorAt } = useLinkForm();
  const words = texts.editor.expiry;
  const [openedAt] = useState(() => Date.now());
  const isPast = draft.expiresAt !== null && draft.expiresAt <= openedAt;
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={words.start} hint={words.startHint} error={errorAt("startsAt", words.start)}>
          {(control) => (
            <MomentInput
              {...control}
              value={draft.startsAt}
              zone={draft.zone}
              onChange={(startsAt) => change({ startsAt })}
            />
          )}
        </Field>
        <ZoneField />
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={words.at} error={errorAt("expiresAt", words.at)} {...(isPast && { hint: words.past })}>
          {(control) => (
            <MomentInput
              {...control}
              value={draft.expiresAt}
              zone={draft.zone}
              onChange={(expiresAt) => change({ expiresAt })}
            />
          )}
        </Field>
      </div>
      <div className="-mt-1 flex flex-wrap items-center gap-1.5 text-sm text-soft" role="group" aria-label={words.in}>
        <span className="me-1">{words.in}</span>
        {PRESETS.map(([name, days]) => (
          <Button key={name} size="small" onClick={() => change({ expiresAt: inDays(days) })}>
            {words.presets[name]}
          </Button>
        ))}
        {draft.expiresAt !== null && (
          <Button size="small" kind="quiet" onClick={() => change({ expiresAt: null })}>
            {words.clear}
          </Button>
        )}
      </div>
      <Field label={words.clicks} hint={words.clicksHint(MAX_MAX_CLICKS)} error={errorAt("maxClicks", words.clicks)}>
        {(control) => (
          <Input
            {...control}
            className="tabular max-w-48"
            inputMode="numeric"
            autoComplete="off"
            value={draft.maxClicks}
            onChange={(event) => change({ maxClicks: event.target.value })}
          />
        )}
      </Field>
      <InputField
        label={words.url}
        hint={words.urlHint}
        error={errorAt("expiredUrl", words.url)}
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/over"
        value={draft.expiredUrl}
        onValue={(value) => change({ expiredUrl: value })}
      />
    </>
  );
}

/** At a whole minute, which is what the control can show. */
function inDays(days: number): number {
  return Math.ceil((Date.now() + days * DAY_MS) / 60_000) * 60_000;
}

/** The time zone of all times in the form. */
function ZoneField() {
  const { draft, change } = useLinkForm();
  return (
    <SelectField label={texts.editor.expiry.zone} value={draft.zone} onValue={(value) => change({ zone: value })}>
      {!timeZones().includes(draft.zone) && <option>{draft.zone}</option>}
      <Options values={timeZones()} nameOf={(zone) => zone.replaceAll("_", " ")} />
    </SelectField>
  );
}
