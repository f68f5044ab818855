import { useState, type FormEvent } from "react";
import { MAX_EXPORT_CLICKS } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Segments } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { useStartExport } from "../queries.ts";
import { explainStart } from "../work/explain.ts";
import { ClickFields } from "./click-fields.tsx";
import { FormatFields } from "./format-fields.tsx";
import { EMPTY_DRAFT, findFaults, toRequest, type Draft, type DraftFaults, type FieldsProps } from "./draft.ts";
import { LinkFields } from "./link-fields.tsx";
import { MAX_EXPORTED_CODES, MAX_FILE_EXPORTS_PER_WINDOW } from "#src/moving/exports/limits.ts";

/** Chooses what is exported, and starts it. */
export function ExportForm() {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<DraftFaults>({});
  const start = useStartExport();
  const own = texts.exporting.form;
  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
    setFaults({});
    start.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findFaults(draft);
    setFaults(found);
    if (Object.keys(found).length > 0 || start.isPending) return;
    start.mutate(toRequest(draft), { onSuccess: () => showToast({ title: own.started }) });
  };
  const fields: FieldsProps = { draft, faults, change };
  return (
    <Section title={own.title} lead={own.lead}>
      <form noValidate onSubmit={submit}>
        <Segments
          label={own.kind}
          value={draft.kind}
          options={[
            { value: "links", label: own.kinds.links },
            { value: "clicks", label: own.kinds.clicks },
            { value: "qr", label: own.kinds.qr },
          ]}
          onChange={(kind) => change({ kind })}
        />
        <p className="mt-2 mb-5 text-soft">{aboutOf(draft.kind)}</p>
        {draft.kind === "clicks" ? (
          <ClickFields {...fields} />
        ) : (
          <>
            <FormatFields {...fields} />
            <LinkFields {...fields} />
          </>
        )}
        {start.error !== null && (
          <Notice kind="bad" title={explainStart(start.error, MAX_FILE_EXPORTS_PER_WINDOW)} className="mt-5" />
        )}
        <Button kind="primary" type="submit" busy={start.isPending} className="mt-5">
          {own.start}
        </Button>
      </form>
    </Section>
  );
}

function aboutOf(kind: Draft["kind"]): string {
  const { about } = texts.exporting.form;
  if (kind === "links") return about.links;
  return kind === "clicks" ? about.clicks(MAX_EXPORT_CLICKS) : about.qr(MAX_EXPORTED_CODES);
}
