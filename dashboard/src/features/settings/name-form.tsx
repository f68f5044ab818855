import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InputField } from "../../ui/field.tsx";
import { Section } from "../../ui/layout.tsx";
import { explainError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";

interface NameFormProps {
  words: { title: string; label: string; hint: string; saved: string };
  /** The name that is stored. */
  current: string;
  maxLength: number;
  mayChange: boolean;
  onSave: (name: string) => Promise<unknown>;
}

/** The name of the person or the account. */
export function NameForm({ words, current, maxLength, mayChange, onSave }: NameFormProps) {
  const [name, setName] = useState(current);
  const save = useMutation({
    mutationFn: async () => {
      await onSave(name.trim());
      showChange(words.saved, async () => {
        await onSave(current);
        setName(current);
      });
    },
  });
  return (
    <Section title={words.title}>
      <Form className="flex flex-wrap items-start gap-3" onSubmit={() => save.mutate()}>
        <InputField
          className="min-w-0 flex-1 basis-64"
          label={words.label}
          hint={words.hint}
          error={save.error === null ? undefined : explainError(save.error)}
          required
          maxLength={maxLength}
          disabled={!mayChange}
          value={name}
          onValue={setName}
        />
        <Button
          type="submit"
          className="sm:mt-7"
          busy={save.isPending}
          disabled={!mayChange || name.trim() === current || name.trim() === ""}
        >
          {texts.ui.save}
        </Button>
      </Form>
    </Section>
  );
}
