import { X } from "lucide-react";
import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { cx } from "../lib/class-names.ts";
import { texts } from "../texts/index.ts";

export interface TokenOption {
  value: string;
  label: string;
  /** Beside the label, such as how often the value is used. */
  aside?: string;
}

interface TokenInputProps {
  /** From the `Field` around it. */
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };
  /** Names the list of suggestions. */
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The suggestions for what is typed. */
  options?: readonly TokenOption[];
  onInput?: (text: string) => void;
  /** Makes a value of what was typed; null if it is none. */
  parse?: (text: string) => string | null;
  /** Gets the text that was entered but is no value, and an empty text once the person goes on typing. */
  onRefused?: (text: string) => void;
  format?: (value: string) => string;
  max?: number;
  placeholder?: string;
}

const MAX_SHOWN_OPTIONS = 8;

/** Several values, typed or chosen from suggestions. Enter and comma add one, Backspace removes the last. */
export function TokenInput({
  control,
  label,
  values,
  onChange,
  options,
  onInput,
  parse = String,
  onRefused,
  format = String,
  max = Infinity,
  placeholder,
}: TokenInputProps) {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const found = findOptions(options ?? [], text, values);
  const isShown = isOpen && found.length > 0;

  const type = (next: string) => {
    setText(next);
    // Enter takes the first suggestion if the text itself is no value.
    setActive(splitTyped(next, options ?? [], parse).rest === "" ? -1 : 0);
    setOpen(next.trim() !== "");
    onInput?.(next);
    onRefused?.("");
  };
  const add = (added: readonly string[]) => {
    onChange([...new Set([...values, ...added])].slice(0, max));
    type("");
  };
  /** Keeps what is no value in the field. */
  const addTyped = (typed: string) => {
    const { added, rest } = splitTyped(typed, options ?? [], parse);
    if (added.length > 0) add(added);
    type(rest);
    setOpen(false);
    onRefused?.(rest);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = isShown ? found[active] : undefined;
    if (event.altKey || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey) {
      // A shortcut may save the form.
      if (/^(Enter|s)$/.test(event.key) && text.trim() !== "") addTyped(text);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((found.length + Math.max(active, step === 1 ? -1 : 0) + step) % Math.max(found.length, 1));
    } else if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      add([chosen.value]);
    } else if ((event.key === "Enter" || event.key === ",") && text.trim() !== "") {
      event.preventDefault();
      addTyped(text);
    } else if (event.key === "Escape" && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Backspace" && text === "" && values.length > 0) {
      onChange(values.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[,\n]/.test(pasted)) return;
    event.preventDefault();
    addTyped(text + pasted);
  };

  return (
    <div className="relative">
      <div
        className={cx(
          "flex min-h-10 flex-wrap items-center gap-1.5 rounded-control border bg-surface px-2 py-1.25 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent",
          control["aria-invalid"] === true ? "border-bad" : "border-control",
        )}
      >
        {values.map((value) => (
          <Token
            key={value}
            text={format(value)}
            onRemove={() => {
              onChange(values.filter((other) => other !== value));
              field.current?.focus();
            }}
          />
        ))}
        <input
          {...control}
          ref={field}
          className="h-7 w-0 min-w-24 flex-1 bg-transparent px-1 outline-none"
          role="combobox"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          value={text}
          placeholder={values.length === 0 ? placeholder : undefined}
          disabled={values.length >= max}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            setOpen(false);
            if (text.trim() !== "") addTyped(text);
          }}
        />
      </div>
      <Suggestions id={listId} label={label} options={isShown ? found : []} active={active} onChoose={add} />
    </div>
  );
}

function Token({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <span className="inline-flex max-w-full items-center rounded-md bg-sunken pl-2 text-sm">
      <span className="truncate">{text}</span>
      <button
        type="button"
        aria-label={texts.ui.remove(text)}
        className="inline-flex size-6 items-center justify-center rounded-md text-soft hover:text-ink"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  );
}

function Suggestions({
  id,
  label,
  options,
  active,
  onChoose,
}: {
  id: string;
  label: string;
  options: readonly TokenOption[];
  active: number;
  onChoose: (values: readonly string[]) => void;
}) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      hidden={options.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-card bg-raised p-1.5 shadow-float"
    >
      {options.map(({ value, label, aside }, index) => (
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="flex cursor-pointer justify-between gap-3 rounded-control px-2.5 py-1.5 hover:bg-sunken aria-selected:bg-wash"
          // The field keeps the focus, and with it the keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose([value])}
          onKeyDown={undefined}
        >
          <span className="truncate">{label}</span>
          {aside !== undefined && <span className="tabular text-soft">{aside}</span>}
        </div>
      ))}
    </div>
  );
}

/** Those that begin with the text come first. */
function findOptions(options: readonly TokenOption[], text: string, chosen: readonly string[]): TokenOption[] {
  const needle = text.trim().toLowerCase();
  const isFound = ({ value, label }: TokenOption) => `${label} ${value}`.toLowerCase().includes(needle);
  const begins = ({ label }: TokenOption) => Number(label.toLowerCase().startsWith(needle));
  return options
    .filter((option) => !chosen.includes(option.value) && isFound(option))
    .sort((a, b) => begins(b) - begins(a))
    .slice(0, MAX_SHOWN_OPTIONS);
}

/** The values in a text with commas or lines, and the parts that are none. */
function splitTyped(
  typed: string,
  options: readonly TokenOption[],
  parse: (text: string) => string | null,
): { added: string[]; rest: string } {
  const parts = typed
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const parsed = parts.map((part) => byLabel(options, part) ?? parse(part));
  return {
    added: parsed.filter((value) => value !== null),
    rest: parts.filter((_, index) => parsed[index] === null).join(", "),
  };
}

function byLabel(options: readonly TokenOption[], text: string): string | undefined {
  return options.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value;
}
