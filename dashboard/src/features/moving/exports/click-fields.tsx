import { browserTimeZone } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, InputField, SelectField } from "#dashboard/ui/field.tsx";
import type { Draft, FieldsProps } from "./draft.ts";

/** The time that a file of clicks covers. */
export function ClickFields({ draft, faults, change }: FieldsProps) {
  const own = texts.exporting.form;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label={own.range}
          hint={own.zone(browserTimeZone())}
          value={draft.range}
          onValue={(value) => change({ range: value as Draft["range"] })}
        >
          {Object.entries(own.ranges).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {draft.range === "custom" && (
          <>
            <InputField
              label={own.from}
              error={faults.from}
              type="date"
              value={draft.from}
              onValue={(value) => change({ from: value })}
            />
            <InputField
              label={own.until}
              error={faults.until}
              type="date"
              value={draft.until}
              onValue={(value) => change({ until: value })}
            />
          </>
        )}
      </div>
      <Checkbox
        className="mt-4"
        label={own.bots}
        checked={draft.withBots}
        onChange={({ target }) => change({ withBots: target.checked })}
      />
    </>
  );
}
