import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, InputField } from "#dashboard/ui/field.tsx";
import { useLinkForm } from "./form.ts";
import { readUtm, UTM_NAMES, writeUtm } from "./utm.ts";
import { UtmTemplates } from "./utm-templates.tsx";
import { MAX_UTM_CHARS } from "#src/links/limits.ts";

/** The campaign parameters of the destination, and whether those of visitors are added to it. */
export function UtmGroup() {
  const { draft, change } = useLinkForm();
  const utm = readUtm(draft.url);
  const hasUrl = draft.url.trim() !== "";
  const words = texts.editor.utm;
  return (
    <>
      <p className="text-sm text-soft">{hasUrl ? words.lead : words.needsUrl}</p>
      <UtmTemplates utm={utm} onApply={(url) => change({ url })} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {UTM_NAMES.map((name) => (
          <InputField
            key={name}
            label={words.fields[name]}
            aside={<code className="font-mono text-xs">utm_{name}</code>}
            autoComplete="off"
            disabled={!hasUrl}
            maxLength={MAX_UTM_CHARS}
            placeholder={words.examples[name]}
            value={utm[name] ?? ""}
            onValue={(value) => change({ url: writeUtm(draft.url, name, value) })}
          />
        ))}
      </div>
      <Checkbox
        label={words.passParameters}
        hint={words.passParametersHint}
        checked={draft.passParameters}
        onChange={(event) => change({ passParameters: event.target.checked })}
      />
    </>
  );
}
