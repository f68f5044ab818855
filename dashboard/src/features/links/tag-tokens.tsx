import { useState, type ReactNode } from "react";
import { MAX_TAG_CHARS } from "#src/limits.ts";
import { readTagChoices, useTagChoices } from "../../api/tag-choices.ts";
import type { Tag } from "../../api/types.ts";
import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import type { Choice } from "../../ui/choices.ts";
import { Field } from "../../ui/field.tsx";
import { TokenInput } from "../../ui/token-input.tsx";

interface TagTokensProps {
  label: string;
  values: readonly string[];
  onChange: (tags: string[]) => void;
  max: number;
  hint?: string;
  error?: string | undefined;
  aside?: ReactNode;
  placeholder?: string;
  disabled?: boolean;
}

const toChoice = ({ name, links }: Tag): Choice => ({ value: name, label: name, aside: formatCount(links) });
const words = texts.linkList.tagPicker;

/** Tags that are typed one after the other, with those of the account as suggestions. */
export function TagTokens({ label, values, onChange, max, hint, error, aside, placeholder, disabled }: TagTokensProps) {
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState("");
  const { tags, isLoading } = useTagChoices(typed);
  return (
    <Field label={label} hint={hint} error={refused === "" ? error : words.unknown(refused)} aside={aside}>
      {(control) => (
        <TokenInput
          control={control}
          label={texts.editor.tags.suggestions}
          values={values}
          options={tags.map(toChoice)}
          created={{
            read: async (text) => (await readTagChoices(text)).map(toChoice),
            label: words.create,
            isLoading,
          }}
          max={max}
          {...(placeholder !== undefined && { placeholder })}
          {...(disabled !== undefined && { disabled })}
          onInput={(text) => setTyped(text.slice(0, MAX_TAG_CHARS))}
          onRefused={setRefused}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
