import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { fitting, isSame, useChoicesFor, type Choice } from "../../ui/choices.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Field, Options, Segments, SelectField } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useAnalytics } from "./context.ts";
import { FILTERS, isSelection, SELECTIONS, type ParameterName } from "./dimensions.ts";
import { useFilterChoices } from "./filter-choices.ts";
import type { Sums } from "./queries.ts";

const { filters: words, parameters, group } = texts.analytics;

/** A button whose panel adds a filter of any dimension, with any value. */
export function AddFilter({ sums }: { sums: Sums | undefined }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut("f", { label: words.addTitle, group }, () => setOpen(true));
  return (
    <Popover
      label={words.addTitle}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button className="px-3!">
          <ListFilter size={18} aria-hidden className="text-soft" />
          <span className="max-sm:sr-only">{words.add}</span>
        </Button>
      }
    >
      <FilterForm sums={sums} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function FilterForm({ sums, onDone }: { sums: Sums | undefined; onDone: () => void }) {
  const { source, toggle, view } = useAnalytics();
  const [name, setName] = useState<ParameterName>("country");
  const [condition, setCondition] = useState<"is" | "isNot">("is");
  const [input, setInput] = useState("");
  const [problem, setProblem] = useState<string>();
  const { choices, read, isLoading } = useFilterChoices(name, sums, input);
  const names = source.kind === "account" ? [...SELECTIONS, ...FILTERS] : FILTERS;
  /** What fits, and the text itself where any value is allowed. */
  const listFor = (found: readonly Choice[], text: string): Choice[] => {
    const isKnown = isSelection(name) || found.some((option) => isSame(option, text));
    const fits = name === "linkIds" ? found : fitting(found, text);
    return [...fits, ...(isKnown || text === "" ? [] : [{ value: text, label: words.other(text) }])];
  };
  const readList = async (text: string) => listFor(await read(text), text);
  const add = ({ value }: Choice) => {
    const isNot = condition === "isNot" && !isSelection(name);
    if (view.filters[name]?.includes(isNot ? `!${value}` : value) !== true) toggle(name, value, isNot);
    onDone();
  };
  const refuse = () => setProblem(name === "linkIds" ? words.linkUnknown : words.valueNeeded);
  const addFirst = useChoicesFor(input, readList, ([first]) => (first === undefined ? refuse() : add(first)));
  return (
    <Form
      className="grid gap-3"
      onSubmit={() => {
        if (input.trim() === "") setProblem(words.valueNeeded);
        else addFirst();
      }}
    >
      <SelectField
        label={words.by}
        value={name}
        onValue={(value) => {
          setName(value as ParameterName);
          setInput("");
        }}
      >
        <Options values={names} nameOf={(each) => parameters[each]} />
      </SelectField>
      {!isSelection(name) && (
        <Segments
          label={words.condition}
          value={condition}
          onChange={setCondition}
          className="justify-self-start"
          options={[
            { value: "is", label: words.is },
            { value: "isNot", label: words.isNot },
          ]}
        />
      )}
      <Field
        label={words.value}
        error={problem}
        hint={name === "linkIds" ? words.linkHint : isSelection(name) ? undefined : words.anyHint}
      >
        {(control) => (
          <Combobox
            control={control}
            label={words.value}
            className="h-10 w-full rounded-control border border-control bg-surface px-3 aria-invalid:border-bad"
            inline
            text={input}
            onText={(text) => {
              setInput(text);
              setProblem(undefined);
            }}
            choices={listFor(choices, input.trim()).slice(0, MAX_SHOWN_OPTIONS)}
            read={readList}
            marksFirst={!isLoading}
            onChoose={add}
            onNone={refuse}
          />
        )}
      </Field>
      <Button type="submit" kind="primary">
        {words.apply}
      </Button>
    </Form>
  );
}

const MAX_SHOWN_OPTIONS = 8;
