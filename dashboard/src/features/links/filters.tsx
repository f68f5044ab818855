import { useQuery } from "@tanstack/react-query";
import { domainNamesQuery } from "../../api/resources.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, Field, Input, Segments, Select } from "../../ui/field.tsx";
import { TagPicker } from "./tag-picker.tsx";
import { ARCHIVED, STATUSES, type LinksView } from "./view.ts";

export interface FiltersProps {
  view: LinksView;
  /** Each filter applies at once. */
  onChange: (changes: Partial<LinksView>) => void;
}

/** The filters of the list. */
export function Filters({ view, onChange }: FiltersProps) {
  const { filter } = texts.linkList;
  if (view.status === "deleted") return <StatusFilter view={view} onChange={onChange} />;
  return (
    <div className="grid gap-4">
      <fieldset>
        <legend className="mb-1.5 font-semibold">{filter.tags}</legend>
        <TagPicker selected={view.tags} onChange={(tags) => onChange({ tags })} autoFocus />
        {view.tags.length > 1 && (
          <Segments
            className="mt-2"
            label={filter.tagMode}
            value={view.tagMode}
            options={[
              { value: "any", label: filter.any },
              { value: "all", label: filter.all },
            ]}
            onChange={(tagMode) => onChange({ tagMode })}
          />
        )}
      </fieldset>
      <DomainFilter view={view} onChange={onChange} />
      <StatusFilter view={view} onChange={onChange} />
      <div>
        <p className="mb-1.5 font-semibold">{filter.archived}</p>
        <Segments
          label={filter.archived}
          value={view.archived}
          options={ARCHIVED.map((value) => ({ value, label: filter[value] }))}
          onChange={(archived) => onChange({ archived })}
        />
      </div>
      <CreatedFilter view={view} onChange={onChange} />
      <Checkbox
        label={filter.brokenOnly}
        checked={view.destination === "broken"}
        onChange={({ target }) => onChange({ destination: target.checked ? "broken" : "" })}
      />
    </div>
  );
}

function StatusFilter({ view, onChange }: FiltersProps) {
  const { filter, status } = texts.linkList;
  return (
    <Field label={filter.status}>
      {(control) => (
        <Select
          {...control}
          value={view.status}
          onChange={({ target }) => onChange({ status: target.value as LinksView["status"] })}
        >
          <option value="">{filter.anyStatus}</option>
          {STATUSES.map((value) => (
            <option key={value} value={value}>
              {status[value]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function DomainFilter({ view, onChange }: FiltersProps) {
  const { can } = useSession();
  return can("domains:read") ? <DomainChoice view={view} onChange={onChange} /> : null;
}

function DomainChoice({ view, onChange }: FiltersProps) {
  const { data = [] } = useQuery(domainNamesQuery);
  const { filter } = texts.linkList;
  const domains = new Set([...data, ...(view.domain === "" ? [] : [view.domain])]);
  return (
    <Field label={filter.domain}>
      {(control) => (
        <Select {...control} value={view.domain} onChange={({ target }) => onChange({ domain: target.value })}>
          <option value="">{filter.anyDomain}</option>
          {[...domains].map((domain) => (
            <option key={domain}>{domain}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function CreatedFilter({ view, onChange }: FiltersProps) {
  const { filter } = texts.linkList;
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{filter.created}</legend>
      <div className="grid grid-cols-2 gap-2">
        {(["from", "to"] as const).map((name) => (
          <label key={name} className="text-sm text-soft">
            {filter[name]}
            <Input
              type="date"
              className="mt-1 h-9 px-2!"
              value={view[name]}
              {...(name === "from" ? { max: view.to } : { min: view.from })}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
