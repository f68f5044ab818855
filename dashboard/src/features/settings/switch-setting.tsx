import { useMutation } from "@tanstack/react-query";
import { Checkbox } from "../../ui/field.tsx";
import { Section } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { showChange } from "../../ui/change-toast.ts";

interface SwitchSettingProps {
  /** `on`, `off`: what a change says. */
  words: Record<"title" | "label" | "hint" | "on" | "off", string>;
  isOn: boolean;
  mayChange: boolean;
  onSave: (isOn: boolean) => Promise<unknown>;
}

/** A setting that is on or off. A change can be undone. */
export function SwitchSetting({ words, isOn, mayChange, onSave }: SwitchSettingProps) {
  const change = useMutation({
    mutationFn: onSave,
    onSuccess: (_, isOn) => showChange(isOn ? words.on : words.off, () => onSave(!isOn)),
  });
  return (
    <Section title={words.title}>
      <Checkbox
        label={words.label}
        hint={words.hint}
        disabled={!mayChange || change.isPending}
        checked={change.isPending ? change.variables : isOn}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <ErrorNotice className="mt-4" error={change.error} />}
    </Section>
  );
}
