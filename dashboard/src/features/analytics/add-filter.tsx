import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { MIN_SEARCH_CHARS } from "../../../../src/limits.ts";
import { call } from "../../api/client.ts";
import { domainNamesQuery, tagsQuery } from "../../api/resources.ts";
import type { Link } from "../../api/types.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Segments, Select } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useAnalytics } from "./context.ts";
import { FILTERS, isSelection, listOf, SELECTIONS, type ParameterName } from "./dimensions.ts";
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
          {words.add}
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
  const options = useOptions(name, sums, input);
  const listId = useId();
  const names = source.kind === "account" ? [...SELECTIONS, ...FILTERS] : FILTERS;
  const add = () => {
    const text = input.trim();
    const value = options.find((option) => option.label.toLowerCase() === text.toLowerCase())?.value ?? text;
    if (text === "") return setProblem(words.valueNeeded);
    if (name === "linkIds" && value === text) return setProblem(words.linkUnknown);
    const isNot = condition === "isNot" && !isSelection(name);
    if (view.filters[name]?.includes(isNot ? `!${value}` : value) !== true) toggle(name, value, isNot);
    return onDone();
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field label={words.by}>
        {(control) => (
          <Select
            {...control}
            value={name}
            onChange={(event) => {
              setName(event.target.value as ParameterName);
              setInput("");
            }}
          >
            {names.map((each) => (
              <option key={each} value={each}>
                {parameters[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
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
          <Input
            {...control}
            list={listId}
            value={input}
            autoComplete="off"
            onChange={(event) => {
              setInput(event.target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <datalist id={listId}>
        {options.map(({ value, label }) => (
          <option key={value}>{label}</option>
        ))}
      </datalist>
      <Button type="submit" kind="primary">
        {words.apply}
      </Button>
    </form>
  );
}

interface Option {
  value: string;
  label: string;
}

const MAX_FOUND_LINKS = 20;

function useOptions(name: ParameterName, sums: Sums | undefined, input: string): readonly Option[] {
  const { nameOf } = useAnalytics();
  const search = useDeferredValue(input.trim());
  const tags = useQuery({ ...tagsQuery(), enabled: name === "tag" });
  const domains = useQuery({ ...domainNamesQuery, enabled: name === "domain" });
  const links = useQuery({
    queryKey: ["links", "search", search, MAX_FOUND_LINKS],
    queryFn: async ({ signal }) => {
      const query = { search, limit: MAX_FOUND_LINKS, archived: "include" };
      return (await call<{ links: Link[] }>("GET", "/api/links", { query, signal })).links;
    },
    enabled: name === "linkIds" && search.length >= MIN_SEARCH_CHARS,
    placeholderData: (previous) => previous,
  });
  if (name === "tag") return (tags.data ?? []).map((tag) => ({ value: tag.name, label: tag.name }));
  if (name === "domain") return (domains.data ?? []).map((domain) => ({ value: domain, label: domain }));
  if (name === "linkIds")
    return (links.data ?? []).map(({ id, shortUrl }) => ({ value: id, label: withoutScheme(shortUrl) }));
  return (sums?.[listOf(name)] ?? []).map(({ value }) => ({ value, label: nameOf(name, value) }));
}
