import type { Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, Select } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";

type Field = NonNullable<Import["mapping"][string]>;
type Mapping = Import["mapping"];

const GROUPS: Readonly<Record<keyof typeof texts.importing.mapping.groups, readonly Field[]>> = {
  main: ["url", "slug", "shortUrl", "domain", "title", "tags", "createdAt", "importedClicks"],
  lifetime: ["startsAt", "expiresAt", "expiredUrl", "maxClicks", "archived", "disabled", "status", "dead"],
  targets: ["ios", "android", "geo", "rules", "preview", "previewTitle", "previewDescription", "previewImage"],
  other: ["aliasUrl", "aliases", "pattern", "password", "redirectStatus", "passParameters", "externalId"],
};

/** Values that are shown for each column. */
const SHOWN_ROWS = 3;

/** The columns of the file, with what each is imported as. */
export function Mapping({ current, onChange }: { current: Import; onChange: (mapping: Mapping) => void }) {
  const own = texts.importing.mapping;
  const choose = (column: string, field: Field | null) => {
    // A field has one column: the one that had it before is not imported any more.
    const before = current.columns.filter((other) => other !== column && current.mapping[other] === field);
    onChange({ ...(field !== null && Object.fromEntries(before.map((other) => [other, null]))), [column]: field });
  };
  return (
    <Section title={own.title} lead={own.lead}>
      <div
        className="grid gap-x-4 text-sm font-semibold text-soft max-md:hidden md:grid-cols-[12rem_minmax(0,1fr)_17rem]"
        aria-hidden
      >
        <span>{own.column}</span>
        <span>{own.sample}</span>
        <span>{own.field}</span>
      </div>
      <ul className="divide-y divide-line">
        {current.columns.map((column, index) => (
          <li
            key={column}
            className="grid gap-x-4 gap-y-1.5 py-2.5 md:grid-cols-[12rem_minmax(0,1fr)_17rem] md:items-center"
          >
            <span className="font-semibold break-words">{column}</span>
            <Samples values={current.sample.map(({ cells }) => cells[index] ?? "")} />
            <FieldSelect
              column={column}
              value={current.mapping[column] ?? null}
              onChange={(field) => choose(column, field)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Samples({ values }: { values: readonly string[] }) {
  const shown = values.filter((value) => value !== "").slice(0, SHOWN_ROWS);
  return (
    <ul className="min-w-0 text-sm text-soft">
      {shown.map((value, index) => (
        <li key={index} className="truncate" title={value}>
          {value}
        </li>
      ))}
    </ul>
  );
}

function FieldSelect({
  column,
  value,
  onChange,
}: {
  column: string;
  value: Field | null;
  onChange: (field: Field | null) => void;
}) {
  const own = texts.importing.mapping;
  return (
    <Select
      aria-label={own.fieldOf(column)}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : (target.value as Field))}
      className={value === null ? "text-soft" : undefined}
    >
      <option value="">{own.none}</option>
      {Object.entries(GROUPS).map(([group, fields]) => (
        <optgroup key={group} label={own.groups[group as keyof typeof GROUPS]}>
          <Options values={fields} nameOf={(field) => own.fields[field]} />
        </optgroup>
      ))}
    </Select>
  );
}
