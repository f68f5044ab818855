import { useState } from "react";
import { MAX_TAG_CHARS } from "#src/limits.ts";
import type { TagColor } from "#src/links/tags/colors.ts";
import { useTagColor } from "../../api/tag-colors.ts";
import { readTagChoices, useTagChoices } from "../../api/tag-choices.ts";
import type { Tag } from "../../api/types.ts";
import { cx } from "../../lib/class-names.ts";
import { texts } from "../../texts/index.ts";
import { fitting, useChoicesFor } from "../../ui/choices.ts";
import { Checkbox, Field, Input } from "../../ui/field.tsx";
import { TagDot } from "../../ui/tag-dot.tsx";
import { hasTag } from "./changes.ts";
import { isComposing } from "../../lib/composing.ts";

interface TagPickerProps {
  selected: readonly string[];
  onChange: (tags: string[]) => void;
  /** Offers a tag that no link has yet. */
  canCreate?: boolean;
  autoFocus?: boolean;
}

/** Chooses tags from those of the account. */
export function TagPicker({ selected, onChange, canCreate = false, autoFocus = false }: TagPickerProps) {
  const [text, setText] = useState("");
  const prefix = text.trim();
  const { tags, isLoading } = useTagChoices(text);
  const { tagPicker } = texts.linkList;
  const colorOf = useTagColor(tags.length > 0);
  const found = namesOf(tags, prefix);
  /** Also a new tag, if all that begin with the text are known. */
  const listFor = (names: string[]) => (canCreate && !hasTag(names, prefix) ? [...names, prefix] : names);
  // Tags of the address that the account does not have any more stay visible.
  const names =
    prefix === "" ? [...selected.filter((tag) => !hasTag(found, tag)), ...found] : isLoading ? found : listFor(found);
  const toggle = (tag: string) =>
    onChange(hasTag(selected, tag) ? selected.filter((each) => !hasTag([tag], each)) : [...selected, tag]);
  const takeFirst = useChoicesFor(
    text,
    async (typed) => listFor(namesOf(await readTagChoices(typed), typed)),
    ([first]) => {
      if (first === undefined) return;
      toggle(first);
      setText("");
    },
  );
  return (
    <div>
      <Field label={tagPicker.search} hideLabel>
        {(control) => (
          <Input
            {...control}
            className="h-9"
            autoFocus={autoFocus}
            placeholder={tagPicker.search}
            maxLength={MAX_TAG_CHARS}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || prefix === "" || isComposing(event.nativeEvent)) return;
              event.preventDefault();
              takeFirst();
            }}
          />
        )}
      </Field>
      <div className="mt-2 grid max-h-44 gap-1 overflow-y-auto" tabIndex={-1}>
        {names.map((tag) => (
          <TagBox
            key={tag}
            label={tag === prefix && !hasTag(found, tag) ? tagPicker.create(tag) : tag}
            color={colorOf(tag)}
            isNext={tag === names[0] && prefix !== "" && !isLoading}
            checked={hasTag(selected, tag)}
            onToggle={() => toggle(tag)}
          />
        ))}
        {!isLoading && names.length === 0 && (
          <p className="py-1 text-sm text-soft">{prefix === "" ? tagPicker.none : tagPicker.noMatch}</p>
        )}
      </div>
    </div>
  );
}

/** The names that begin with the text, first the one that is the text. */
function namesOf(tags: readonly Tag[], text: string): string[] {
  const choices = tags.map(({ name }) => ({ value: name, label: name }));
  return fitting(choices, text).map(({ value }) => value);
}

function TagBox({
  label,
  color,
  isNext,
  checked,
  onToggle,
}: {
  label: string;
  color: TagColor | null;
  /** Enter takes it. */
  isNext: boolean;
  checked: boolean;
  onToggle: () => void;
}) {
  return (
    <Checkbox
      className={cx("rounded-control py-0.5", isNext && "bg-wash")}
      label={
        <span className="flex items-center gap-1.5">
          <TagDot color={color} />
          {label}
        </span>
      }
      checked={checked}
      onChange={onToggle}
    />
  );
}
