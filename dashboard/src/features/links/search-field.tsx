import { Search, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { toSearch } from "./view.ts";
import { MAX_SEARCH_CHARS, MIN_SEARCH_CHARS } from "#src/links/limits.ts";
import { isComposing } from "../../lib/composing.ts";

/** How long the person pauses before the text is searched for. */
const PAUSE_MS = 250;

/** Searches while the person types. Text that is too short searches for nothing. */
export function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  const { search: label, searchHint, clearSearch, shortcuts } = texts.linkList;
  // The search was changed from elsewhere, such as by the browser's back button.
  if (shown !== search) {
    setShown(search);
    if (toSearch(text) !== search) setText(search);
  }
  useEffect(() => {
    const wanted = toSearch(text);
    if (wanted === search) return undefined;
    const timer = setTimeout(() => onSearch(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  useShortcut("/", { label, group: shortcuts }, () => input.current?.focus());

  const length = Array.from(text.trim()).length;
  const isTooShort = length > 0 && length < MIN_SEARCH_CHARS;
  return (
    <search className="relative min-w-0 flex-1 basis-full sm:max-w-md sm:basis-52">
      <Search size={16} className="pointer-events-none absolute inset-y-0 inset-s-3 my-auto text-soft" aria-hidden />
      <Input
        ref={input}
        type="text"
        inputMode="search"
        aria-label={label}
        aria-describedby={`${id}-hint`}
        placeholder={label}
        maxLength={MAX_SEARCH_CHARS}
        className="h-9 pe-9! ps-9!"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
          // The selection of links stays, which the key clears elsewhere.
          event.preventDefault();
          if (text === "") event.currentTarget.blur();
          else setText("");
        }}
      />
      {text !== "" && (
        <span className="absolute top-0.5 inset-e-0.5">
          <IconButton
            size="small"
            label={clearSearch}
            icon={<X size={16} aria-hidden />}
            onClick={() => {
              setText("");
              input.current?.focus();
            }}
          />
        </span>
      )}
      <span
        id={`${id}-hint`}
        role="status"
        className="pointer-events-none absolute top-2 inset-e-10 bg-surface ps-2 text-sm text-soft"
      >
        {isTooShort && searchHint}
      </span>
    </search>
  );
}
