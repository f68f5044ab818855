import { TAKEDOWN_REASONS } from "#src/redirect/verdict.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_STATEMENT_CHARS } from "#src/safety/limits.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, InputField, Options, SelectField, TextareaField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { fieldError } from "../../ui/notice.tsx";
import type { Imposed } from "./queries.ts";
import { consoleTexts } from "./texts.ts";

type Kind = Imposed["kind"];

/** Takes something down. With `name`, what is taken down stands fixed up to its kind. */
export function TakedownDialog({
  name,
  kinds,
  reason: first = "phishing",
  onTakeDown,
  onClose,
}: {
  name?: string;
  kinds: readonly Kind[];
  reason?: string;
  onTakeDown: (value: string, imposed: Imposed) => Promise<void>;
  onClose: () => void;
}) {
  const words = consoleTexts.takedown;
  const [value, setValue] = useState("");
  const [kind, setKind] = useState<Kind>(kinds[0] ?? "link");
  const [reason, setReason] = useState(TAKEDOWN_REASONS.find((known) => known === first) ?? "policy");
  const [statement, setStatement] = useState("");
  const [legal, setLegal] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const text = toLine(statement);
      return onTakeDown(value.trim(), { kind, reason, legal, ...(text !== "" && { statement: text }) });
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={name === undefined ? words.newTitle : words.title(name)}
      action={words.action}
      danger
      save={save}
    >
      <SelectField
        label={words.what}
        hint={name === undefined || kind === "host" ? words.values[kind] : undefined}
        value={kind}
        onValue={(value) => setKind(value as Kind)}
      >
        <Options values={kinds} nameOf={(each) => texts.takedowns.kinds[each]} />
      </SelectField>
      {name === undefined && (
        <InputField
          label={words.value}
          error={fieldError(save.error, "value")}
          required
          value={value}
          onValue={setValue}
        />
      )}
      <SelectField
        label={words.reason}
        value={reason}
        onValue={(value) => setReason(value as (typeof TAKEDOWN_REASONS)[number])}
      >
        <Options values={TAKEDOWN_REASONS} nameOf={(each) => texts.takedowns.reasons[each]} />
      </SelectField>
      <TextareaField
        label={words.statement}
        hint={words.hint}
        error={fieldError(save.error, "statement")}
        maxLength={MAX_STATEMENT_CHARS}
        value={statement}
        onValue={setStatement}
      />
      <Checkbox label={words.legal} checked={legal} onChange={({ target }) => setLegal(target.checked)} />
    </FormDialog>
  );
}

/** The API takes one line. */
export const toLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
