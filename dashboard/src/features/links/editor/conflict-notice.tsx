import { useState } from "react";
import { formatMoment } from "#dashboard/lib/format.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Segments } from "#dashboard/ui/field.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { draftOf, type Draft, type FieldName } from "./draft.ts";
import { useLinkForm, type Conflict } from "./form.ts";

const words = texts.editor.conflict;

/** Shows what another person has changed since the form was opened, and lets the person choose. */
export function ConflictNotice({ conflict }: { conflict: Conflict }) {
  const { draft, settle } = useLinkForm();
  const [theirs, setTheirs] = useState<ReadonlySet<FieldName>>(new Set());
  const newer = draftOf(conflict.newer);
  const choose = (field: FieldName, isMine: boolean) =>
    setTheirs(new Set(isMine ? [...theirs].filter((each) => each !== field) : [...theirs, field]));
  return (
    <Notice kind="warn" title={words.title}>
      <p>{words.text}</p>
      {conflict.theirs.length > 0 && (
        <>
          <p className="mt-3">{words.theirs}</p>
          <ul className="mt-1 list-disc ps-5">
            {conflict.theirs.map((field) => (
              <li key={field}>
                <span className="font-semibold">{texts.editor.fields[field]}:</span>{" "}
                <span className="break-words">{describeValue(newer, field)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {conflict.both.length === 0 && <p className="mt-3">{words.noneBoth}</p>}
      {conflict.both.map((field) => {
        const isMine = !theirs.has(field);
        return (
          <div key={field} className="mt-3 flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 flex-1 basis-60">
              <span className="font-semibold">{texts.editor.fields[field]}:</span>{" "}
              <span className="break-words">{describeValue(isMine ? draft : newer, field)}</span>
            </p>
            <Segments
              label={texts.editor.fields[field]}
              value={isMine ? "mine" : "theirs"}
              options={[
                { value: "mine", label: words.yours },
                { value: "theirs", label: words.others },
              ]}
              onChange={(choice) => choose(field, choice === "mine")}
            />
          </div>
        );
      })}
      <Button
        className="mt-4"
        size="small"
        kind="primary"
        onClick={() => settle(conflict, new Set(conflict.both.filter((field) => !theirs.has(field))))}
      >
        {words.settle}
      </Button>
    </Notice>
  );
}

/** A field's value in a few words. */
function describeValue(draft: Draft, field: FieldName): string {
  return withoutScheme(DESCRIPTIONS[field]?.(draft) ?? draft[field as "title"]) || words.empty;
}

const { summaries, yes, no } = texts.editor;

/** The fields that are not texts. */
const DESCRIPTIONS: Partial<Record<FieldName, (draft: Draft) => string>> = {
  aliases: ({ aliases }) => aliases.join(", "),
  archived: ({ archived }) => (archived ? yes : no),
  disabled: ({ disabled }) => (disabled ? yes : no),
  startsAt: ({ startsAt }) => (startsAt === null ? "" : formatMoment(startsAt)),
  expiresAt: ({ expiresAt }) => (expiresAt === null ? "" : formatMoment(expiresAt)),
  geo: ({ geo }) => (geo.length === 0 ? "" : summaries.targets(geo.length)),
  passParameters: ({ passParameters }) => (passParameters ? yes : no),
  password: () => summaries.set,
  preview: ({ preview }) => Object.values(preview).filter(Boolean).join(" · "),
  rules: ({ rules }) => (rules.length === 0 ? "" : summaries.rules(rules.length)),
  tags: ({ tags }) => tags?.join(", ") ?? "",
};
