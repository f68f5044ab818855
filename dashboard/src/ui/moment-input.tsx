import { useState, type ComponentProps } from "react";
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
  // Until the person leaves the control, it has what was typed: a time may be one that the clocks of the zone skip.
  const [typed, setTyped] = useState<{ text: string; value: number | null } | null>(null);
  const isTyped = typed !== null && typed.value === value;
  const type = (text: string) => {
    const at = fromLocalText(text, zone);
    setTyped({ text, value: at });
    onChange(at);
  };
  return (
    <Input
      type="datetime-local"
      // Four digits for the year: after them, the browser goes on to the hour.
      max="9999-12-31T23:59"
      value={isTyped ? typed.text : value === null ? "" : toLocalText(value, zone)}
      {...props}
      onChange={(event) => type(event.target.value)}
      onBlur={(event) => {
        setTyped(null);
        props.onBlur?.(event);
      }}
    />
  );
}
