import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_NOTE_CHARS } from "#src/admin/limits.ts";
import { texts } from "../../texts/index.ts";
import { Field, Input, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { createRule } from "./queries.ts";
import { REASONS } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";

const KINDS = ["entry", "hosts", "urls"] as const;

/** Adds to what destinations are compared with. With `host`, this host is blocked. */
export function RuleDialog({ host, onClose }: { host?: string; onClose: () => void }) {
  const words = consoleTexts.rule;
  const [kind, setKind] = useState<(typeof KINDS)[number]>("entry");
  const [value, setValue] = useState(host ?? "");
  const [verdict, setVerdict] = useState<"allow" | "block">("block");
  const [reason, setReason] = useState<(typeof REASONS)[number]>("phishing");
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
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      {host === undefined && (
        <>
          <Field label={words.kind}>
            {(control) => (
              <Select {...control} value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
                {KINDS.map((each) => (
                  <option key={each} value={each}>
                    {words.kinds[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={words.value} hint={words.values[kind]} error={fieldError(save.error, "value")}>
            {(control) => (
              <Input {...control} required value={value} onChange={({ target }) => setValue(target.value)} />
            )}
          </Field>
        </>
      )}
      {host === undefined && kind === "entry" && (
        <Field label={words.verdict}>
          {(control) => (
            <Select {...control} value={verdict} onChange={({ target }) => setVerdict(target.value as typeof verdict)}>
              <option value="block">{words.verdicts.block}</option>
              <option value="allow">{words.verdicts.allow}</option>
            </Select>
          )}
        </Field>
      )}
      {!allows && (
        <Field label={consoleTexts.takedown.reason}>
          {(control) => (
            <Select {...control} value={reason} onChange={({ target }) => setReason(target.value as typeof reason)}>
              {REASONS.map((each) => (
                <option key={each} value={each}>
                  {texts.takedowns.reasons[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label={words.note} error={fieldError(save.error, "note")}>
        {(control) => (
          <Input
            {...control}
            maxLength={MAX_NOTE_CHARS}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      {host !== undefined && <p className="text-sm text-soft">{words.effect}</p>}
    </FormDialog>
  );
}
