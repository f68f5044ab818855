import { X } from "lucide-react";
import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { cx } from "../lib/class-names.ts";
import { useLatest } from "../lib/latest.ts";
import { texts } from "../texts/index.ts";
import { fitting, isSame, takeWhenRead, type Choice } from "./choices.ts";
import { Combobox, type ComboboxProps } from "./combobox.tsx";
import { parseTyped, readTyped, type TypedValues } from "./typed-values.ts";
import { isComposing } from "../lib/composing.ts";

interface TokenInputProps extends Pick<ComboboxProps, "control" | "label" | "placeholder"> {
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The suggestions for what is typed. */
  options?: readonly Choice[];
  onInput?: (text: string) => void;
  /** Makes a value of what was typed; null if it is none. */
  parse?: (text: string) => string | null;
  /**
   * For values of the service. A text that is none of them becomes a value by the choice with this label, or if none fits
   * the text. Until that is known, the form around the field is not submitted.
   */
  created?: { read: (text: string) => Promise<readonly Choice[]>; label: (text: string) => string; isLoading: boolean };
  /** Gets the text that was entered but is no value, and an empty text once the person goes on typing. */
  onRefused?: (text: string) => void;
  format?: (value: string) => string;
  max?: number;
  disabled?: boolean;
}

const MAX_SHOWN_OPTIONS = 8;
const noChoices = () => Promise.resolve([]);

/** Several values, typed or chosen from suggestions. Enter and comma add one, Backspace removes the last. */
export function TokenInput(props: TokenInputProps) {
  const { control, label, values, onChange, options = [], onInput, parse = String, created } = props;
  const { onRefused, format = String, max = Infinity, disabled = false, placeholder } = props;
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");

  /** The list for the text: what fits, and the choice that makes a value of it. */
  const listFor = (found: readonly Choice[], typed: string, isComplete: boolean): Choice[] => {
    const others = found.filter(({ value }) => !values.includes(value));
    const isKnown = !isComplete || typed.trim() === "" || found.some((choice) => isSame(choice, typed));
    const isNew = created !== undefined && !isKnown;
    const creation = isNew ? [{ value: typed.trim(), label: created.label(typed.trim()) }] : [];
    return [...fitting(others, typed).slice(0, MAX_SHOWN_OPTIONS), ...creation];
  };
  const choices = listFor(options, text, created?.isLoading === false);
  const type = (next: string) => {
    setText(next);
    onInput?.(next);
    onRefused?.("");
  };
  const add = (added: readonly string[]) => {
    onChange([...new Set([...values, ...added])].slice(0, max));
    type("");
  };
  /** Keeps what is no value in the field. */
  const keep = ({ added, rest }: TypedValues) => {
    if (added.length > 0) add(added);
    type(rest);
    onRefused?.(rest);
  };
  const settle = useSettling(field, text, created?.read ?? noChoices, created !== undefined, keep);
  const addTyped = (typed: string) => {
    if (created === undefined) keep(parseTyped(typed, options, parse));
    else void settle(typed);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || isComposing(event.nativeEvent)) return;
    if (event.ctrlKey || event.metaKey) {
      // A shortcut may save the form.
      if (created === undefined && /^(Enter|s)$/.test(event.key) && text.trim() !== "") addTyped(text);
    } else if (event.key === "," && text.trim() !== "") {
      event.preventDefault();
      addTyped(text);
    } else if (event.key === "Backspace" && text === "" && values.length > 0) onChange(values.slice(0, -1));
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[,\n]/.test(pasted)) return;
    event.preventDefault();
    flushSync(() => type(text + pasted));
    addTyped(text + pasted);
  };
  const isValue = created === undefined && parseTyped(text, options, parse).rest === "";
  const isTyped = isValue || /,/.test(text) || (created === undefined && choices.length === 0);
  const frame = (input: ReactNode) => (
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
          disabled={disabled}
          onRemove={() => {
            onChange(values.filter((other) => other !== value));
            field.current?.focus();
          }}
        />
      ))}
      {input}
    </div>
  );
  return (
    <Combobox
      control={control}
      label={label}
      ref={field}
      className="h-7 w-0 min-w-24 flex-1 bg-transparent px-1 outline-none"
      text={text}
      onText={type}
      choices={choices}
      read={async (typed) => (created === undefined ? choices : listFor(await created.read(typed), typed, true))}
      marksFirst={!isTyped && created?.isLoading !== true}
      onChoose={({ value }) => add([value])}
      onEnter={() => {
        if (isTyped) addTyped(text);
        return isTyped;
      }}
      placeholder={values.length === 0 ? placeholder : undefined}
      disabled={disabled || values.length >= max}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onBlur={() => text.trim() !== "" && addTyped(text)}
      frame={frame}
    />
  );
}

/**
 * Returns a function that reads what the text means, and keeps that unless the person has typed on. The form of the field
 * is submitted when that is done, and not if something is left in the field: then the field gets the focus.
 */
function useSettling(
  field: React.RefObject<HTMLInputElement | null>,
  text: string,
  read: (text: string) => Promise<readonly Choice[]>,
  isUsed: boolean,
  keep: (values: TypedValues) => void,
): (typed: string) => Promise<boolean> {
  const keepNow = useLatest(keep);
  const settling = useRef<{ typed: string; done: Promise<boolean> } | null>(null);
  const run = async (typed: string) => {
    let isDone = false;
    const take = (result: TypedValues) => {
      if (field.current?.value !== typed) return;
      keepNow(result);
      isDone = result.rest === "";
    };
    const reading = readTyped(typed, read);
    if (document.activeElement === field.current) await takeWhenRead(reading, take);
    else await reading.then((result) => flushSync(() => take(result)));
    return isDone;
  };
  const settle = (typed: string) => {
    if (settling.current?.typed !== typed) {
      const done = run(typed).finally(() => {
        settling.current = null;
      });
      settling.current = { typed, done };
    }
    return settling.current.done;
  };
  const hold = useLatest((event: SubmitEvent) => {
    if (!isUsed || text.trim() === "") return;
    event.preventDefault();
    event.stopPropagation();
    void settle(text).then((isDone) =>
      isDone ? (event.target as HTMLFormElement).requestSubmit() : show(field.current),
    );
  });
  useEffect(() => {
    const form = field.current?.form;
    form?.addEventListener("submit", hold, { capture: true });
    return () => form?.removeEventListener("submit", hold, { capture: true });
  }, [field, hold]);
  return settle;
}

function show(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "center" });
}

function Token({ text, disabled, onRemove }: { text: string; disabled: boolean; onRemove: () => void }) {
  return (
    <span className="inline-flex max-w-full items-center rounded-md bg-sunken ps-2 text-sm">
      <span dir="auto" className="truncate">
        {text}
      </span>
      <button
        type="button"
        aria-label={texts.ui.remove(text)}
        disabled={disabled}
        className="inline-flex size-6 items-center justify-center rounded-md text-soft hover:text-ink disabled:opacity-50"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  );
}
