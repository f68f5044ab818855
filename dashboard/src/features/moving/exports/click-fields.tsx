import { browserTimeZone } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, Field, Input, Select } from "#dashboard/ui/field.tsx";
import type { Draft, FieldsProps } from "./draft.ts";

/** The time that a file of clicks covers. */
export function ClickFields({ draft, faults, change }: FieldsProps) {
  const own = texts.exporting.form;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={own.range} hint={own.zone(browserTimeZone())}>
          {(control) => (
            <Select
              {...control}
              value={draft.range}
              onChange={({ target }) => change({ range: target.value as Draft["range"] })}
            >
              {Object.entries(own.ranges).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {draft.range === "custom" && (
          <>
            <Field label={own.from} error={faults.from}>
              {(control) => (
                <Input
                  {...control}
                  type="date"
                  value={draft.from}
                  onChange={({ target }) => change({ from: target.value })}
                />
              )}
            </Field>
            <Field label={own.until} error={faults.until}>
              {(control) => (
                <Input
                  {...control}
                  type="date"
                  value={draft.until}
                  onChange={({ target }) => change({ until: target.value })}
                />
              )}
            </Field>
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
