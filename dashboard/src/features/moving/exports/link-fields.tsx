import { useQuery } from "@tanstack/react-query";
import { texts } from "#dashboard/texts/index.ts";
import { InputField, Segments, SelectField } from "#dashboard/ui/field.tsx";
import { domainNamesQuery } from "#dashboard/api/resources.ts";
import type { Draft, FieldsProps } from "./draft.ts";
import { TagField } from "./tag-field.tsx";
import { MIN_SEARCH_CHARS } from "#src/links/limits.ts";

/** Which links are exported. */
export function LinkFields(props: FieldsProps) {
  const { draft, change } = props;
  const own = texts.exporting.form;
  return (
    <>
      <p className="mb-1.5 font-semibold" aria-hidden>
        {own.which}
      </p>
      <Segments
        label={own.which}
        value={draft.which}
        options={[
          { value: "all", label: own.whichOptions.all },
          { value: "some", label: own.whichOptions.some },
        ]}
        onChange={(which) => change({ which })}
      />
      {draft.which === "all" ? <p className="mt-1.5 text-sm text-soft">{own.allHint}</p> : <Filters {...props} />}
    </>
  );
}

function Filters({ draft, faults, change }: FieldsProps) {
  const own = texts.exporting.form;
  const { data: names = [] } = useQuery(domainNamesQuery);
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <InputField
        label={own.search}
        hint={own.searchHint(MIN_SEARCH_CHARS)}
        error={faults.search}
        type="search"
        value={draft.search}
        onValue={(value) => change({ search: value })}
      />
      <TagField tags={draft.tags} onChange={(tags) => change({ tags })} />
      <Choice
        label={own.domain}
        value={draft.domain}
        options={[{ value: "", label: own.anyDomain }, ...names.map((value) => ({ value, label: value }))]}
        onChange={(domain) => change({ domain })}
      />
      <Choice
        label={own.status}
        value={draft.status}
        options={toOptions(own.statuses)}
        onChange={(status) => change({ status: status as Draft["status"] })}
      />
      <Choice
        label={own.archived}
        value={draft.archived}
        options={toOptions(own.archivedOptions)}
        onChange={(archived) => change({ archived: archived as Draft["archived"] })}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Day
          label={own.createdAfter}
          value={draft.createdAfter}
          onChange={(createdAfter) => change({ createdAfter })}
        />
        <Day
          label={own.createdBefore}
          value={draft.createdBefore}
          error={faults.createdBefore}
          onChange={(createdBefore) => change({ createdBefore })}
        />
      </div>
    </div>
  );
}

function toOptions(labels: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

interface InputProps {
  label: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

function Day({ label, value, error, onChange }: InputProps) {
  return <InputField label={label} error={error} type="date" value={value} onValue={onChange} />;
}

function Choice({ label, value, options, onChange }: InputProps & { options: { value: string; label: string }[] }) {
  return (
    <SelectField label={label} value={value} onValue={onChange}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}
