import { useDeferredValue, useState } from "react";
import { MAX_TAG_CHARS } from "../../../../src/limits.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, Field, Input } from "../../ui/field.tsx";
import { hasTag } from "./changes.ts";
import { useTagChoices } from "./queries.ts";

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
  const prefix = useDeferredValue(text.trim());
  const { data } = useTagChoices(prefix);
  const { tagPicker } = texts.linkList;
  const found = data?.map(({ name }) => name) ?? [];
  // Tags of the address that the account does not have any more stay visible.
  const names = prefix === "" ? [...selected.filter((tag) => !hasTag(found, tag)), ...found] : found;
  const isNew = canCreate && prefix !== "" && prefix === text.trim() && !hasTag(found, prefix);
  const toggle = (tag: string) =>
    onChange(
      hasTag(selected, tag) ? selected.filter((each) => each.toLowerCase() !== tag.toLowerCase()) : [...selected, tag],
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
              const [first] = found;
              if (event.key !== "Enter") return;
              event.preventDefault();
              if (isNew) toggle(prefix);
              else if (first !== undefined && prefix !== "") toggle(first);
              setText("");
            }}
          />
        )}
      </Field>
      <div className="mt-2 grid max-h-44 gap-1 overflow-y-auto" tabIndex={-1}>
        {isNew && (
          <TagBox tag={prefix} label={tagPicker.create(prefix)} checked={hasTag(selected, prefix)} onToggle={toggle} />
        )}
        {names.map((tag) => (
          <TagBox key={tag} tag={tag} label={tag} checked={hasTag(selected, tag)} onToggle={toggle} />
        ))}
        {data !== undefined && names.length === 0 && !isNew && (
          <p className="py-1 text-sm text-soft">{prefix === "" ? tagPicker.none : tagPicker.noMatch}</p>
        )}
      </div>
    </div>
  );
}

function TagBox({
  tag,
  label,
  checked,
  onToggle,
}: {
  tag: string;
  label: string;
  checked: boolean;
  onToggle: (tag: string) => void;
}) {
  return <Checkbox className="py-0.5" label={label} checked={checked} onChange={() => onToggle(tag)} />;
}
