import type { ComponentProps } from "react";
import { fromLocalText, toLocalText } from "../lib/time-zone.ts";
import { Input } from "./field.tsx";

/** A date and time in a time zone. The value is Unix milliseconds. */
export function MomentInput({
  value,
  zone,
  onChange,
  ...props
}: Omit<ComponentProps<"input">, "value" | "onChange" | "type"> & {
  value: number | null;
  zone: string;
  onChange: (value: number | null) => void;
}) {
  return (
    <Input
      type="datetime-local"
      value={value === null ? "" : toLocalText(value, zone)}
      onChange={(event) => onChange(fromLocalText(event.target.value, zone))}
      {...props}
    />
  );
}
