import { browserTimeZone } from "../lib/format.ts";
import { texts } from "../texts/index.ts";
import { Options, SelectField } from "./field.tsx";

const { timeZone } = texts.analytics;

/** The time zone of days and hours: the browser's own, UTC, and all others by their names. */
export function TimeZoneField({
  value,
  onChange,
  className = "",
}: {
  value: string;
  onChange: (timeZone: string) => void;
  className?: string;
}) {
  const common = [...new Set([browserTimeZone(), "UTC", value])];
  const others = Intl.supportedValuesOf("timeZone").filter((name) => !common.includes(name));
  return (
    <SelectField label={timeZone.label} hint={timeZone.hint} className={className} value={value} onValue={onChange}>
      <optgroup label={timeZone.yours}>
        <Options values={common} nameOf={readable} />
      </optgroup>
      <optgroup label={timeZone.others}>
        <Options values={others} nameOf={readable} />
      </optgroup>
    </SelectField>
  );
}

const readable = (name: string) => name.replaceAll("_", " ");
