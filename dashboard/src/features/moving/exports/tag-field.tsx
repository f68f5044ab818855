import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { tagsQuery } from "#dashboard/api/resources.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, SelectField } from "#dashboard/ui/field.tsx";

/** Chooses tags. A link needs one of them. */
export function TagField({ tags, onChange }: { tags: readonly string[]; onChange: (tags: readonly string[]) => void }) {
  const { data: tagChoices = [] } = useQuery(tagsQuery());
  const names = tagChoices.map(({ name }) => name);
  const own = texts.exporting.form;
  return (
    <div>
      <SelectField label={own.tag} value="" onValue={(value) => onChange([...tags, value])}>
        <option value="">{tags.length === 0 ? own.anyTag : own.addTag}</option>
        <Options values={names.filter((name) => !tags.includes(name))} />
      </SelectField>
      {tags.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                aria-label={own.removeTag(tag)}
                className="inline-flex h-7 items-center gap-1 rounded-full bg-wash px-2.5 text-sm font-semibold text-accent-strong"
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                {tag}
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
