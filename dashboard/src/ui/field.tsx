import { useId, type ChangeEvent, type ComponentProps, type ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { isTouchScreen } from "../lib/media.ts";

interface FieldProps {
  label: ReactNode;
  /** Explains what to enter. */
  hint?: ReactNode;
  /** What is wrong with the value, and what to do. */
  error?: ReactNode;
  /** Beside the label, such as a link or the number of characters left. */
  aside?: ReactNode;
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  /** Gets what connects the control with its label and texts. */
  children: (control: ControlProps) => ReactNode;
}

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, aside, hideLabel = false, className, children }: FieldProps) {
  const id = useId();
  const shown = Boolean(error) || Boolean(hint);
  return (
    <div className={className}>
      <div
        className={cx(
          "mb-1.5 flex items-baseline justify-between gap-3",
          hideLabel && aside === undefined && "sr-only",
        )}
      >
        <label htmlFor={id} className={cx("font-semibold", hideLabel && "sr-only")}>
          {label}
        </label>
        {aside !== undefined && <span className="text-sm text-soft">{aside}</span>}
      </div>
      {children({ id, "aria-describedby": shown ? `${id}-text` : undefined, "aria-invalid": error ? true : undefined })}
      {shown && (
        <p
          id={`${id}-text`}
          role={error ? "alert" : undefined}
          className={cx("mt-1.5 text-sm first-letter:uppercase", error ? "text-bad" : "text-soft")}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}

const CONTROL =
  "w-full rounded-control border border-control bg-surface text-ink transition-colors aria-invalid:border-bad disabled:opacity-60";

interface InputProps extends Omit<ComponentProps<"input">, "autoFocus"> {
  /** "always": on touch screens too. For the only field of a dialog or page. */
  autoFocus?: boolean | "always" | undefined;
}

/** A line of text. On touch screens it does not take the focus by itself: the keyboard would hide what is around it. */
export function Input({ className, autoFocus = false, ...props }: InputProps) {
  return (
    <input
      className={cx(CONTROL, "h-10 px-3 read-only:bg-sunken", className)}
      autoFocus={autoFocus === "always" || (autoFocus && !isTouchScreen())}
      {...props}
    />
  );
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={cx(CONTROL, "min-h-20 px-3 py-2 read-only:bg-sunken", className)} {...props} />;
}

/** The browser's own list, which every keyboard and phone knows. */
export function Select({ className, ...props }: ComponentProps<"select">) {
  return <select className={cx(CONTROL, "select h-10 ps-2.5 pe-8", className)} {...props} />;
}

interface OptionsProps<Value extends string | number> {
  values: readonly Value[];
  /** What the person reads, unless it is the value itself. */
  nameOf?: (value: Value) => string;
}

/** The options of a {@link Select}. */
export function Options<Value extends string | number>({ values, nameOf = String }: OptionsProps<Value>) {
  return values.map((value) => (
    <option key={value} value={value}>
      {nameOf(value)}
    </option>
  ));
}

type LabelledProps<Props> = Omit<FieldProps, "children"> &
  Omit<Props, "onChange" | "className"> & { onValue: (value: string) => void };

/** Makes a control that has its label, hint and error. `className` goes to the field. */
function labelled<Props extends object>(Control: (props: Props) => ReactNode) {
  return ({ label, hint, error, aside, hideLabel, className, onValue, ...props }: LabelledProps<Props>) => {
    const onChange = (event: ChangeEvent<HTMLInputElement>) => onValue(event.target.value);
    return (
      <Field label={label} hint={hint} error={error} aside={aside} hideLabel={hideLabel} className={className}>
        {(control) => <Control {...({ ...control, ...props, onChange } as Props)} />}
      </Field>
    );
  };
}

export const InputField = labelled(Input);
export const TextareaField = labelled(Textarea);
export const SelectField = labelled(Select);

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
  hideLabel?: boolean;
}

export function Checkbox({ label, hint, hideLabel = false, className, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <div className={cx("flex items-start gap-2.5", className)}>
      <input
        id={id}
        type="checkbox"
        className="checkbox mt-0.5"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...props}
      />
      <div className={hideLabel ? "sr-only" : undefined}>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** A choice of a few, side by side. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
  className?: string;
}) {
  const name = useId();
  return (
    <fieldset className={cx("inline-flex rounded-control bg-sunken p-0.5", className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="cursor-pointer rounded-[0.4rem] px-3 py-1.5 text-sm font-semibold text-soft has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
