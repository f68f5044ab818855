import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useState } from "react";
import { MAX_OPERATOR_SEARCH_CHARS } from "#src/safety/limits.ts";
import { MIN_SEARCH_CHARS } from "#src/links/limits.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/field.tsx";
import { consoleTexts } from "./texts.ts";

type Finding = "accounts" | "links" | "hosts";

/** What a page of the console looks for, from its address. */
export interface Wanted {
  search: string | undefined;
  /** The id of the account whose links are listed. */
  account: string | undefined;
}

export function useWanted(): Wanted {
  const { search, account }: Record<string, unknown> = useSearch({ strict: false });
  const text = typeof search === "string" || typeof search === "number" ? String(search).trim() : "";
  return {
    search: text.length < MIN_SEARCH_CHARS ? undefined : text.slice(0, MAX_OPERATOR_SEARCH_CHARS),
    account: typeof account === "string" ? account : undefined,
  };
}

/** The field of a list that is searched, with what else limits it. */
export function Finder({ section, wanted }: { section: Finding; wanted: Wanted }) {
  const { account, search = "" } = wanted;
  const navigate = useNavigate();
  const go = (next: Partial<Wanted>) => {
    const changed = { ...wanted, ...next };
    const given = Object.fromEntries(
      Object.entries(changed).filter(([, value]) => value !== undefined && value !== ""),
    );
    void navigate({ to: "/admin/$section", params: { section }, search: given, resetScroll: false });
  };
  return (
    <div className="mb-4 grid gap-3">
      <SearchForm
        key={`${section} ${search}`}
        section={section}
        search={search}
        onSearch={(text) => go({ search: text })}
      />
      {account !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-soft [overflow-wrap:anywhere]">
          {consoleTexts.find.ofAccount(account)}
          <Button size="small" onClick={() => go({ account: undefined })}>
            <X size={14} aria-hidden />
            {consoleTexts.find.allAccounts}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Searches when it is submitted: each search reads many links. */
function SearchForm({
  section,
  search,
  onSearch,
}: {
  section: Finding;
  search: string;
  onSearch: (search: string) => void;
}) {
  const [text, setText] = useState(search);
  const { button, labels } = consoleTexts.find;
  return (
    <search>
      <Form className="flex max-w-2xl gap-2" onSubmit={() => onSearch(text.trim())}>
        <Input
          type="search"
          aria-label={labels[section]}
          placeholder={labels[section]}
          minLength={MIN_SEARCH_CHARS}
          maxLength={MAX_OPERATOR_SEARCH_CHARS}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit">
          <Search size={16} aria-hidden />
          {button}
        </Button>
      </Form>
    </search>
  );
}
