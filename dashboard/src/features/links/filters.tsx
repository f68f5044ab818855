import { NOT } from "#src/links/not.ts";
import { MAX_FILTER_DOMAINS } from "#src/links/limits.ts";
import { useQuery } from "@tanstack/react-query";
import { domainNamesQuery } from "../../api/resources.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, Input, Options, Segments, SelectField } from "../../ui/field.tsx";
import { CreatorFilter } from "./creator-filter.tsx";
import { LeftOut } from "./left-out.tsx";
import { TagPicker } from "./tag-picker.tsx";
import { nameOfStatus } from "./status-names.ts";
import { ARCHIVED, isLeftOut, STATUS_FILTERS, VERDICTS, withoutMark, type LinksView } from "./view.ts";

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
        <TagPicker
          selected={view.tags.map(withoutMark)}
          onChange={(tags) => onChange({ tags: tags.map((tag) => (view.tags.includes(NOT + tag) ? NOT + tag : tag)) })}
          autoFocus
        />
        <LeftOut
          values={view.tags}
          nameOf={(tag) => tag}
          labelOf={filter.tagged}
          words={filter}
          onChange={(tags) => onChange({ tags })}
        />
        {view.tags.filter((tag) => !isLeftOut(tag)).length > 1 && (
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
      <CreatorFilter view={view} onChange={onChange} />
      <StatusFilter view={view} onChange={onChange} />
      <VerdictFilter view={view} onChange={onChange} />
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
  const { filter } = texts.linkList;
  return (
    <SelectField
      label={filter.status}
      value={view.status}
      onValue={(value) => onChange({ status: value as LinksView["status"] })}
    >
      <option value="">{filter.anyStatus}</option>
      <Options values={STATUS_FILTERS} nameOf={nameOfStatus} />
    </SelectField>
  );
}

function VerdictFilter({ view: { verdicts }, onChange }: FiltersProps) {
  const words = texts.heldLinks;
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{words.filter}</legend>
      <div className="grid gap-1">
        {VERDICTS.map((verdict) => (
          <Checkbox
            key={verdict}
            label={words[verdict]}
            checked={verdicts.includes(verdict)}
            onChange={({ target }) =>
              onChange({
                verdicts: VERDICTS.filter((each) => (each === verdict ? target.checked : verdicts.includes(each))),
              })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function DomainFilter({ view, onChange }: FiltersProps) {
  const { can } = useSession();
  return can("domains:read") ? <DomainChoice view={view} onChange={onChange} /> : null;
}

function DomainChoice({ view, onChange }: FiltersProps) {
  const { data = [] } = useQuery(domainNamesQuery);
  const { filter } = texts.linkList;
  const names = [...new Set([...data, ...view.domains])];
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{filter.domain}</legend>
      <div className="grid max-h-32 gap-1 overflow-y-auto" tabIndex={-1}>
        {names.map((domain) => (
          <Checkbox
            key={domain}
            label={domain}
            checked={view.domains.includes(domain)}
            disabled={view.domains.length >= MAX_FILTER_DOMAINS && !view.domains.includes(domain)}
            onChange={({ target }) =>
              onChange({
                domains: names.filter((name) => (name === domain ? target.checked : view.domains.includes(name))),
              })
            }
          />
        ))}
      </div>
    </fieldset>
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
