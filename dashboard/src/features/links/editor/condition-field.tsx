import { useState } from "react";
import { canonicalHost, canonicalLanguage, isCountry } from "#src/links/normalize.ts";
import { DEVICES, SYSTEMS } from "#src/platform/visitor/kinds.ts";
import { formatCountry } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, Field, Input } from "#dashboard/ui/field.tsx";
import { MomentInput } from "#dashboard/ui/moment-input.tsx";
import type { Choice } from "#dashboard/ui/choices.ts";
import { TokenInput } from "#dashboard/ui/token-input.tsx";
import { formatLanguage, formatRegion } from "../details/describe.ts";
import { COUNTRY_CHOICES, COMMON_LANGUAGE_CHOICES } from "./choices.ts";
import type { ConditionName } from "./conditions.ts";
import type { RuleDraft } from "./draft.ts";
import { useLinkForm } from "./form.ts";
import { MAX_RULE_VALUES } from "#src/links/limits.ts";

const words = texts.editor.rules;

interface ConditionProps {
  rule: RuleDraft;
  name: ConditionName;
  index: number;
  onChange: (rule: RuleDraft) => void;
}

/** One condition of a rule. */
export function ConditionField(props: ConditionProps) {
  const { name } = props;
  switch (name) {
    case "countries":
    case "regions":
    case "languages":
    case "referrers":
      return <ListCondition {...props} name={name} />;
    case "devices":
    case "os":
      return <ChoiceCondition {...props} name={name} />;
    case "startsAt":
    case "endsAt":
      return <TimeCondition {...props} name={name} />;
    case "percentage":
    default:
      return <ShareCondition {...props} />;
  }
}

/** The first error of the condition or of one of its values. */
function useConditionError(index: number, name: ConditionName): string | undefined {
  const { errorsIn, errorAt } = useLinkForm();
  const path = `rules.${index}.${name}`;
  return errorAt(errorsIn(path)[0]?.path ?? path, words.conditions[name]);
}

type ListName = "countries" | "regions" | "languages" | "referrers";

interface ListKind {
  options: readonly Choice[];
  parse: (text: string) => string | null;
  format: (value: string) => string;
}

const LISTS: Record<ListName, ListKind> = {
  countries: {
    options: COUNTRY_CHOICES,
    parse: (text) => (isCountry(text.toUpperCase()) ? text.toUpperCase() : null),
    format: formatCountry,
  },
  regions: {
    options: [],
    parse: (text) => (/^[a-z]{2}-[a-z0-9]{1,3}$/i.test(text) ? text.toUpperCase() : null),
    format: formatRegion,
  },
  languages: {
    options: COMMON_LANGUAGE_CHOICES,
    parse: (text) => (/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(text) ? canonicalLanguage(text) : null),
    format: formatLanguage,
  },
  referrers: { options: [], parse: toHost, format: (host) => host },
};

/** People paste whole URLs. */
function toHost(text: string): string | null {
  return canonicalHost(URL.parse(text)?.hostname || text);
}

function ListCondition({ rule, name, index, onChange }: ConditionProps & { name: ListName }) {
  const label = words.conditions[name];
  const error = useConditionError(index, name);
  const [refused, setRefused] = useState("");
  return (
    <Field
      className="min-w-0 flex-1"
      label={label}
      hint={words.hints[name]}
      error={refused === "" ? error : words.refused[name](refused)}
    >
      {(control) => (
        <TokenInput
          control={control}
          label={label}
          values={rule[name] ?? []}
          max={MAX_RULE_VALUES}
          {...LISTS[name]}
          onRefused={setRefused}
          onChange={(values) => onChange({ ...rule, [name]: values })}
        />
      )}
    </Field>
  );
}

const CHOICES = {
  devices: DEVICES.map((value) => ({ value, label: words.devices[value] })),
  os: SYSTEMS.map((value) => ({ value, label: value === "other" ? words.systems.other : value })),
};

function ChoiceCondition({ rule, name, index, onChange }: ConditionProps & { name: "devices" | "os" }) {
  const error = useConditionError(index, name);
  const values: readonly string[] = rule[name] ?? [];
  return (
    <fieldset className="min-w-0 flex-1">
      <legend className="mb-1.5 font-semibold">{words.conditions[name]}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {CHOICES[name].map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={values.includes(value)}
            onChange={(event) => {
              const others = values.filter((other) => other !== value);
              onChange({ ...rule, [name]: event.target.checked ? [...others, value] : others });
            }}
          />
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function TimeCondition({ rule, name, index, onChange }: ConditionProps & { name: "startsAt" | "endsAt" }) {
  const { zone } = useLinkForm().draft;
  const error = useConditionError(index, name);
  return (
    <Field className="min-w-0 flex-1" label={words.conditions[name]} hint={zone.replaceAll("_", " ")} error={error}>
      {(control) => (
        <MomentInput
          {...control}
          className="max-w-60"
          zone={zone}
          value={rule[name] ?? null}
          onChange={(value) => onChange({ ...rule, [name]: value })}
        />
      )}
    </Field>
  );
}

function ShareCondition({ rule, index, onChange }: ConditionProps) {
  const error = useConditionError(index, "percentage");
  return (
    <Field className="min-w-0 flex-1" label={words.conditions.percentage} hint={words.hints.percentage} error={error}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          max={100}
          step="any"
          className="tabular max-w-32"
          value={rule.percentage ?? ""}
          onChange={(event) => onChange({ ...rule, percentage: event.target.value })}
        />
      )}
    </Field>
  );
}
