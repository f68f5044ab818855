import { X } from "lucide-react";
import { useState } from "react";
import { cx } from "#dashboard/lib/class-names.ts";
import { texts } from "#dashboard/texts/index.ts";
import { IconButton } from "#dashboard/ui/button.tsx";
import { Field, InputField, Options, Select } from "#dashboard/ui/field.tsx";
import { describeConditions } from "../details/describe.ts";
import { ConditionField } from "./condition-field.tsx";
import { CONDITION_NAMES, EMPTY_CONDITIONS, type ConditionName } from "./conditions.ts";
import type { RuleDraft } from "./draft.ts";
import { useLinkForm } from "./form.ts";
import { RuleHandle } from "./rule-handle.tsx";
import { DeleteButton } from "#dashboard/ui/row-buttons.tsx";

const words = texts.editor.rules;

interface RuleCardProps {
  rule: RuleDraft;
  index: number;
  count: number;
  onMove: (to: number) => void;
  /** null removes the rule. */
  onChange: (rule: RuleDraft | null) => void;
}

export function RuleCard({ rule, index, count, onMove, onChange }: RuleCardProps) {
  const { errorAt } = useLinkForm();
  const [isDragging, setDragging] = useState(false);
  const [added, setAdded] = useState<ConditionName | null>(null);
  const number = index + 1;
  const present = CONDITION_NAMES.filter((name) => rule[name] !== undefined);
  const general = errorAt(`rules.${index}`, words.rule(number));
  return (
    <li
      aria-label={words.rule(number)}
      className={cx("rounded-card border bg-surface", isDragging ? "border-accent shadow-float" : "border-line")}
    >
      <div className="flex items-center gap-2 border-b border-line px-2 py-1.5">
        <RuleHandle index={index} count={count} onMove={onMove} onDragging={setDragging} />
        <p className="min-w-0 flex-1 truncate text-sm">
          <span className="font-semibold">{words.rule(number)}</span>
          <span className="text-soft"> · {describeConditions(rule)}</span>
        </p>
        <DeleteButton label={words.remove(number)} onClick={() => onChange(null)} />
      </div>
      <div className="grid grid-cols-1 gap-3 p-3">
        {general !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {general}
          </p>
        )}
        {present.map((name) => (
          <div key={name} ref={name === added ? focusInside : undefined} className="flex items-start gap-1">
            <ConditionField rule={rule} name={name} index={index} onChange={onChange} />
            <IconButton
              size="small"
              className="mt-7"
              label={words.removeCondition(words.conditions[name], number)}
              icon={<X size={16} aria-hidden />}
              onClick={() => onChange(without(rule, name))}
            />
          </div>
        ))}
        <AddCondition
          missing={CONDITION_NAMES.filter((name) => !present.includes(name))}
          hint={present.length === 0 ? words.needsCondition : undefined}
          onAdd={(name) => {
            setAdded(name);
            onChange({ ...rule, [name]: EMPTY_CONDITIONS[name] });
          }}
        />
        <InputField
          label={words.url}
          error={errorAt(`rules.${index}.url`, words.url)}
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/de"
          value={rule.url}
          onValue={(value) => onChange({ ...rule, url: value })}
        />
      </div>
    </li>
  );
}

function focusInside(element: HTMLElement | null): void {
  element?.querySelector("input")?.focus();
}

function without(rule: RuleDraft, name: ConditionName): RuleDraft {
  const { [name]: _removed, ...others } = rule;
  return others;
}

function AddCondition({
  missing,
  hint,
  onAdd,
}: {
  missing: readonly ConditionName[];
  hint: string | undefined;
  onAdd: (name: ConditionName) => void;
}) {
  if (missing.length === 0) return null;
  return (
    <Field label={words.addCondition} hideLabel {...(hint !== undefined && { hint })}>
      {(control) => (
        <Select
          {...control}
          className="max-w-60"
          value=""
          onChange={(event) => onAdd(event.target.value as ConditionName)}
        >
          <option value="">{words.addCondition}…</option>
          <Options values={missing} nameOf={(name) => words.conditions[name]} />
        </Select>
      )}
    </Field>
  );
}
