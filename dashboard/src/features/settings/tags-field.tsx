import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useId, useState, type KeyboardEvent } from "react";
import { MAX_TAG_CHARS, MAX_TAGS_PER_LINK } from "../../../../src/limits.ts";
import { tagsQuery } from "../../api/resources.ts";
import { texts } from "../../texts/index.ts";
import { Field, Input } from "../../ui/field.tsx";

const SUGGESTIONS = 8;

interface TagsFieldProps {
  label: string;
  value: readonly string[];
  onChange: (tags: string[]) => void;
  hint?: string;
  error?: string | undefined;
  disabled?: boolean;
  limit?: number;
}

/** Tags that are typed one after the other, with those of the account as suggestions. */
export function TagsField({
  label,
  value,
  onChange,
  hint,
  error,
  disabled = false,
  limit = MAX_TAGS_PER_LINK,
}: TagsFieldProps) {
  const [input, setInput] = useState("");
  const listId = useId();
  const suggestions = useSuggestions(useDeferredValue(input.trim()));
  const has = (tag: string) => value.some((each) => each.toLowerCase() === tag.toLowerCase());
  const add = (text: string) => {
    const tags = text.split(",").map((tag) => tag.trim());
    const added = tags.filter((tag) => tag !== "" && !has(tag));
    if (added.length > 0) onChange([...value, ...new Set(added)].slice(0, limit));
    setInput("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === "Enter" || event.key === ",") && input.trim() !== "") {
      event.preventDefault();
      add(input);
    } else if (event.key === "Backspace" && input === "" && value.length > 0) onChange(value.slice(0, -1));
  };
  return (
    <Field label={label} hint={hint ?? texts.settings.tags.hint(limit)} error={error}>
      {(control) => (
        <>
          {value.length > 0 && (
            <ul className="mb-2 flex flex-wrap gap-1.5">
              {value.map((tag) => (
                <Chip
                  key={tag}
                  name={tag}
                  disabled={disabled}
                  onRemove={() => onChange(value.filter((each) => each !== tag))}
                />
              ))}
            </ul>
          )}
          <Input
            {...control}
            list={listId}
            maxLength={MAX_TAG_CHARS}
            autoComplete="off"
            disabled={disabled || value.length >= limit}
            value={input}
            onChange={(event) => setInput(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => add(input)}
          />
          <datalist id={listId}>
            {suggestions
              .filter((tag) => !has(tag))
              .map((tag) => (
                <option key={tag} value={tag}>
                  {tag}
                </option>
              ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

export function Chip({ name, disabled, onRemove }: { name: string; disabled: boolean; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center gap-0.5 rounded-full bg-wash py-0.5 pr-1 pl-2.5 text-sm font-semibold text-accent-strong">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={texts.settings.tags.remove(name)}
        disabled={disabled}
        className="grid size-6 shrink-0 place-content-center rounded-full hover:bg-sunken disabled:opacity-50"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}

function useSuggestions(prefix: string): string[] {
  const { data = [] } = useQuery({
    ...tagsQuery(prefix),
    enabled: prefix !== "",
    placeholderData: (previous) => previous,
  });
  return data.slice(0, SUGGESTIONS).map(({ name }) => name);
}
