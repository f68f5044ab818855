import { MAX_PREVIEW_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { InputField, TextareaField } from "#dashboard/ui/field.tsx";
import type { Draft } from "./draft.ts";
import { useLinkForm } from "./form.ts";

export function SocialGroup() {
  const { draft, change, errorAt } = useLinkForm();
  const words = texts.editor.social;
  const { preview } = draft;
  const set = (patch: Partial<Draft["preview"]>) => change({ preview: { ...preview, ...patch } });
  return (
    <>
      <p className="text-sm text-soft">{words.lead}</p>
      <InputField
        label={words.title}
        error={errorAt("preview.title", words.title) ?? errorAt("preview", words.title)}
        aside={<span className="tabular">{texts.editor.left(MAX_TITLE_CHARS - preview.title.length)}</span>}
        dir="auto"
        autoComplete="off"
        maxLength={MAX_TITLE_CHARS}
        value={preview.title}
        onValue={(value) => set({ title: value })}
      />
      <TextareaField
        label={words.description}
        error={errorAt("preview.description", words.description)}
        aside={
          <span className="tabular">
            {texts.editor.left(MAX_PREVIEW_DESCRIPTION_CHARS - preview.description.length)}
          </span>
        }
        dir="auto"
        maxLength={MAX_PREVIEW_DESCRIPTION_CHARS}
        value={preview.description}
        onValue={(value) => set({ description: value.replaceAll(/\s*\n\s*/g, " ") })}
      />
      <InputField
        label={words.image}
        hint={words.imageHint}
        error={errorAt("preview.image", words.image)}
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/image.png"
        value={preview.image}
        onValue={(value) => set({ image: value })}
      />
    </>
  );
}
