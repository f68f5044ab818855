import { TAKEDOWN_REASONS } from "#src/redirect/verdict.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_RULE_NOTE_CHARS } from "#src/safety/limits.ts";
import { texts } from "../../texts/index.ts";
import { InputField, Options, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { createRule } from "./queries.ts";
import { consoleTexts } from "./texts.ts";

const KINDS = ["entry", "hosts", "urls"] as const;

/** Adds to what destinations are compared with. With `host`, this host is blocked. */
export function RuleDialog({ host, onClose }: { host?: string; onClose: () => void }) {
  const words = consoleTexts.rule;
  const [kind, setKind] = useState<(typeof KINDS)[number]>("entry");
  const [value, setValue] = useState(host ?? "");
  const [verdict, setVerdict] = useState<"allow" | "block">("block");
  const [reason, setReason] = useState<(typeof TAKEDOWN_REASONS)[number]>("phishing");
  const [note, setNote] = useState("");
  const allows = kind === "entry" && verdict === "allow";
  const save = useMutation({
    mutationFn: () =>
      createRule({
        kind,
        value: value.trim(),
        ...(allows ? { verdict } : { reason }),
        ...(note.trim() !== "" && { note: note.trim() }),
      }),
    onSuccess: () => {
      showChange(words.added(value.trim()));
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={host === undefined ? words.newTitle : words.title(host)}
      action={host === undefined ? words.add : words.block}
      danger={host !== undefined}
      save={save}
    >
      {host === undefined && (
        <>
          <SelectField label={words.kind} value={kind} onValue={(value) => setKind(value as typeof kind)}>
            <Options values={KINDS} nameOf={(each) => words.kinds[each]} />
          </SelectField>
          <InputField
            label={words.value}
            hint={words.values[kind]}
            error={fieldError(save.error, "value")}
            required
            value={value}
            onValue={setValue}
          />
        </>
      )}
      {host === undefined && kind === "entry" && (
        <SelectField label={words.verdict} value={verdict} onValue={(value) => setVerdict(value as typeof verdict)}>
          <option value="block">{words.verdicts.block}</option>
          <option value="allow">{words.verdicts.allow}</option>
        </SelectField>
      )}
      {!allows && (
        <SelectField
          label={consoleTexts.takedown.reason}
          value={reason}
          onValue={(value) => setReason(value as typeof reason)}
        >
          <Options values={TAKEDOWN_REASONS} nameOf={(each) => texts.takedowns.reasons[each]} />
        </SelectField>
      )}
      <InputField
        label={words.note}
        error={fieldError(save.error, "note")}
        maxLength={MAX_RULE_NOTE_CHARS}
        value={note}
        onValue={setNote}
      />
      {host !== undefined && <p className="text-sm text-soft">{words.effect}</p>}
    </FormDialog>
  );
}
