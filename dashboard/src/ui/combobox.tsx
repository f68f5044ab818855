import { useId, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { cx } from "../lib/class-names.ts";
import { useChoicesFor, type Choice } from "./choices.ts";
import { isComposing } from "../lib/composing.ts";

export interface ComboboxProps {
  /** From the `Field` around it. */
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };
  /** Names the list of choices. */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** The list, as far as it is known. */
  choices: readonly Choice[];
  /** Reads the list for exactly this text. Enter takes its first choice, or calls `onNone`. */
  read: (text: string) => Promise<readonly Choice[]>;
  onChoose: (choice: Choice) => void;
  onNone?: () => void;
  /** Enter does something else with the text that is typed. Returns false if it does not. */
  onEnter?: () => boolean;
  /** Whether the first choice is the one that Enter takes now. */
  marksFirst: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPaste?: (event: ClipboardEvent) => void;
  onBlur?: () => void;
  ref?: RefObject<HTMLInputElement | null>;
  className: string;
  placeholder?: string | undefined;
  disabled?: boolean;
  /** Puts the input into its frame. The list is below the frame. */
  frame?: (input: ReactNode) => ReactNode;
  /** The list takes space of its own, and covers nothing. */
  inline?: boolean;
}

/** A field in which people type to choose from a list. */
export function Combobox(props: ComboboxProps) {
  const { control, label, text, onText, choices, read, onChoose, onNone, onEnter, marksFirst, onKeyDown } = props;
  const { frame = (input) => input, inline = false, onPaste, onBlur, ref, className, placeholder, disabled } = props;
  const listId = useId();
  /** Where the arrows have gone to. */
  const [moved, setMoved] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? choices : [];
  const active = moved ?? (marksFirst && text.trim() !== "" ? 0 : -1);

  const choose = (choice: Choice) => {
    setMoved(null);
    setOpen(false);
    onChoose(choice);
  };
  const takeFirst = useChoicesFor(text, read, ([first]) => {
    if (first === undefined) onNone?.();
    else choose(first);
  });
  const press = (event: KeyboardEvent) => {
    onKeyDown?.(event);
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isComposing(event.nativeEvent))
      return;
    const chosen = moved === null ? undefined : shown[moved];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setOpen(true);
      setMoved((choices.length + Math.max(active, step === 1 ? -1 : 0) + step) % Math.max(choices.length, 1));
    } else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else if (event.key === "Enter" && text.trim() !== "") {
      if (onEnter?.() !== true) takeFirst();
    } else if (event.key === "Escape" && shown.length > 0) setOpen(false);
    else return;
    event.preventDefault();
  };
  const input = (
    <input
      {...control}
      ref={ref}
      className={className}
      role="combobox"
      aria-expanded={shown.length > 0}
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={active >= 0 && active < shown.length ? `${listId}-${active}` : undefined}
      autoComplete="off"
      value={text}
      placeholder={placeholder}
      disabled={disabled}
      onChange={({ target }) => {
        setMoved(null);
        setOpen(target.value.trim() !== "");
        onText(target.value);
      }}
      onKeyDown={press}
      onPaste={onPaste}
      onFocus={() => setOpen(text.trim() !== "")}
      onBlur={() => {
        setOpen(false);
        onBlur?.();
      }}
    />
  );
  return (
    <div className="relative">
      {frame(input)}
      <Choices id={listId} label={label} choices={shown} active={active} onChoose={choose} inline={inline} />
    </div>
  );
}

interface ChoicesProps {
  id: string;
  label: string;
  choices: readonly Choice[];
  active: number;
  onChoose: (choice: Choice) => void;
  inline: boolean;
}

function Choices({ id, label, choices, active, onChoose, inline }: ChoicesProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      hidden={choices.length === 0}
      className={cx(
        "mt-1 max-h-64 overflow-y-auto rounded-card p-1.5",
        inline ? "bg-sunken" : "absolute inset-x-0 top-full z-20 bg-raised shadow-float",
      )}
    >
      {choices.map((choice, index) => (
        <div
          key={`${choice.value} ${choice.label}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="flex cursor-pointer justify-between gap-3 rounded-control px-2.5 py-1.5 hover:bg-sunken aria-selected:bg-wash"
          // The field keeps the focus, and with it the keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
          onKeyDown={undefined}
        >
          <span className="truncate">{choice.label}</span>
          {choice.aside !== undefined && <span className="tabular text-soft">{choice.aside}</span>}
        </div>
      ))}
    </div>
  );
}
