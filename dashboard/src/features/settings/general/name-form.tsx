import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../../../src/limits.ts";
import type { Account } from "../../../api/types.ts";
import { texts } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { Section } from "../../../ui/layout.tsx";
import { explainError } from "../../../ui/notice.tsx";
import { showChange } from "../change-toast.ts";
import { updateAccount } from "./update-account.ts";

export function NameForm({ account, mayChange }: { account: Account; mayChange: boolean }) {
  const { title, label, hint, saved } = texts.settings.general.name;
  const [name, setName] = useState(account.name);
  const save = useMutation({
    mutationFn: async () => {
      await updateAccount({ name: name.trim() });
      showChange(saved, async () => {
        await updateAccount({ name: account.name });
        setName(account.name);
      });
    },
  });
  return (
    <Section title={title}>
      <form
        className="flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          className="min-w-0 flex-1 basis-64"
          label={label}
          hint={hint}
          error={save.error === null ? undefined : explainError(save.error)}
        >
          {(control) => (
            <Input
              {...control}
              required
              maxLength={MAX_ACCOUNT_NAME_CHARS}
              disabled={!mayChange}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          className="mt-7"
          busy={save.isPending}
          disabled={!mayChange || name.trim() === account.name || name.trim() === ""}
        >
          {texts.ui.save}
        </Button>
      </form>
    </Section>
  );
}
